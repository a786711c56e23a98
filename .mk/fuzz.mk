# libFuzzer on everything that reads text from outside, for FUZZ_SECONDS each.

FUZZ_SECONDS ?= 30
FUZZ := $(BUILD)/fuzz
FUZZERS := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_MAKE = $(MAKE) BUILD=$(FUZZ) CC=clang CFLAGS='-O1 -g' \
	SANITIZE='-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all'

.PHONY: fuzz fuzzers

fuzz: ## feed each parser mutated input, FUZZ_SECONDS=30 each
	.mk/packages $(FUZZ_PACKAGES)
	$(FUZZ_MAKE) -j$(JOBS) fuzzers
	tests/fuzz/run -j $(JOBS) -t $(FUZZ_SECONDS) $(FUZZ) $(FUZZERS)

fuzzers: $(FUZZERS:%=$(BUILD)/fuzz_%) $(BUILD)/keys.dict

$(FUZZERS:%=$(BUILD)/fuzz_%): $(BUILD)/%: $(BUILD)/obj/tests/fuzz/%.o \
		$(BUILD)/obj/tests/fuzz/document.o $(BUILD)/liblilyq.a
	$(call say,LINK,$@)$(CC) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ \
		$(TEST_LIBS) -lm

$(BUILD)/dictionary: $(BUILD)/obj/tests/fuzz/dictionary.o $(BUILD)/liblilyq.a
	$(call say,LINK,$@)$(CC) $(LDFLAGS) -o $@ $^ $(TEST_LIBS) -lm

$(BUILD)/keys.dict: $(BUILD)/dictionary
	$(call say,GEN,$@)$< >$@
