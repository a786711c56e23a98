# Measures; see tests/bench/run.

BENCH_RUNS ?= 11
BENCH_PROGRAMS := $(addprefix $(BUILD)/bench/,time_process phases)

.PHONY: bench

bench: ## measure planning: time, memory, the split in phases
	.mk/packages $(BENCH_PACKAGES)
	$(MAKE) -j$(JOBS) all $(BENCH_PROGRAMS)
	tests/bench/run $(BUILD) $(BENCH_RUNS)

$(BENCH_PROGRAMS): $(BUILD)/bench/%: $(BUILD)/obj/tests/bench/%.o \
		$(BUILD)/liblilyq.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(LDFLAGS) -o $@ $^ $(DEP_LIBS) -lm
