# Measures; see tests/bench/run and tests/bench/broker.

BENCH_RUNS ?= 11
BENCH_BROKER_RUNS ?= 5
BENCH_PROGRAMS := $(addprefix $(BUILD)/bench/,time_process phases sync)

.PHONY: bench bench-plan bench-broker

bench: bench-plan ## measure planning and, where there is RabbitMQ, applying
	tests/bench/broker $(BUILD) $(BENCH_BROKER_RUNS)

bench-plan: ## measure planning: time, memory, the split in phases
	.mk/packages $(BENCH_PACKAGES)
	$(MAKE) -j$(JOBS) all $(BENCH_PROGRAMS)
	tests/bench/run $(BUILD) $(BENCH_RUNS)

bench-broker: ## measure applying, on BROKER_ROOT's RabbitMQ or Debian's
	.mk/packages $(BENCH_BROKER_PACKAGES)
	$(MAKE) -j$(JOBS) all $(BENCH_PROGRAMS)
	tests/bench/broker $(BUILD) $(BENCH_BROKER_RUNS)

$(BENCH_PROGRAMS): $(BUILD)/bench/%: $(BUILD)/obj/tests/bench/%.o \
		$(BUILD)/liblilyq.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(LDFLAGS) -o $@ $^ $(TEST_LIBS) -lm
