# Tests. `make check` runs them all; every program and script writes TAP and
# tests/run sums them up.

# Unit tests of base, model, plan, compare, lint, explain, letter and policy link
# no third-party library.
PURE_TESTS := $(wildcard tests/unit/base/test_*.c tests/unit/plan/test_*.c \
	tests/unit/compare/test_*.c \
	tests/unit/lint/test_*.c tests/unit/explain/test_*.c tests/unit/letter/test_*.c \
	tests/unit/model/test_*.c)
PURE_TESTS += $(filter-out %/test_pcre.c,$(wildcard tests/unit/policy/test_*.c))
GOLDEN_TESTS := $(wildcard tests/golden/test_*.c)
GOLDEN_PARTS := $(filter-out $(GOLDEN_TESTS),$(wildcard tests/golden/*.c))
# The AMQP client talks to a peer in the test's own process.
PEER_TESTS := $(wildcard tests/unit/broker/test_amqp*.c)
PEER_PARTS := $(wildcard tests/unit/broker/peer*.c)
LINKED_TESTS := $(filter-out $(PURE_TESTS),$(wildcard tests/unit/*/test_*.c)) \
	$(GOLDEN_TESTS)
PURE_BINARIES := $(PURE_TESTS:%.c=$(BUILD)/%)
LINKED_BINARIES := $(LINKED_TESTS:%.c=$(BUILD)/%)
UNIT_BINARIES := $(PURE_BINARIES) $(LINKED_BINARIES)

# Programs that scripts run: the library's ways that no command takes.
DRIVERS := $(BUILD)/tests/http/survey $(BUILD)/tests/broker/carry

CLI_SCRIPTS := $(wildcard tests/cli/*.t)
HTTP_SCRIPTS := $(wildcard tests/http/*.t)
GOLDEN_SCRIPTS := $(wildcard tests/cli/golden*.t)
BROKER_SCRIPTS := $(wildcard tests/broker/*.t)
CLUSTER_SCRIPTS := $(wildcard tests/cluster/*.t)
BROKERS ?= 3.10 4.0 newest
# The one that waits for minutes starts first.
HAZARD_SCRIPTS := tests/hazards/quorum-at-least-once-rounds.t
HAZARD_SCRIPTS += $(filter-out $(HAZARD_SCRIPTS),$(wildcard tests/hazards/*.t))
FAULT_SCRIPTS := $(wildcard tests/faults/*.t) $(CLUSTER_SCRIPTS)
OTHER_SCRIPTS := $(wildcard tests/api/*.t tests/oom/*.t tests/build/*.t)

SAN := $(BUILD)/san
SAN_FLAGS := -fsanitize=address,undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer
# All vectors go through the sanitized library, a fifth through the program.
SAN_SETTINGS := BUILD=$(SAN) VECTORS_STEP=5 UBSAN_OPTIONS=print_stacktrace=1 \
	ASAN_OPTIONS=abort_on_error=1:detect_stack_use_after_return=1:strict_string_checks=1
SAN_MAKE = $(MAKE) BUILD=$(SAN) SANITIZE='$(SAN_FLAGS)' CFLAGS='-O1 -g'

.PHONY: check check-brokers check-built check-faults check-hazards check-san check-valgrind coverage units objects

units: $(UNIT_BINARIES) $(DRIVERS)

objects: $(LIB_OBJECTS) $(CLI_OBJECTS) $(UNIT_BINARIES:$(BUILD)/%=$(BUILD)/obj/%.o)

$(GOLDEN_TESTS:%.c=$(BUILD)/%): $(GOLDEN_PARTS:%.c=$(BUILD)/obj/%.o)

$(PEER_TESTS:%.c=$(BUILD)/%): $(PEER_PARTS:%.c=$(BUILD)/obj/%.o)

$(PURE_BINARIES): $(BUILD)/%: $(BUILD)/obj/%.o $(BUILD)/liblilyq.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(LDFLAGS) -o $@ $^ -lcmocka -lm

$(LINKED_BINARIES): $(BUILD)/%: $(BUILD)/obj/%.o $(BUILD)/liblilyq.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) -lcmocka \
		$(TEST_LIBS) -lm

$(DRIVERS): $(BUILD)/%: $(BUILD)/obj/%.o $(BUILD)/liblilyq.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(LDFLAGS) -o $@ $^ $(DEP_LIBS) -lm

# In two steps: pkg-config and the like are asked only once they are installed.
check: ## install what tests need, run all tests, plain and sanitized
	.mk/packages $(TEST_PACKAGES)
	$(MAKE) -j$(JOBS) check-built

# The program as it is installed, then what the sanitizers see: the program
# again, and all that calls the library itself. Scripts with a broker mostly
# wait, so one program more than there are processors keeps these busy.
check-built: all $(DRIVERS) $(BUILD)/fail_alloc.so
	+$(SAN_MAKE) all units
	@tests/run -j $$(($(JOBS) + 1)) -o $(BUILD)/tap BUILD=$(BUILD) $(OTHER_SCRIPTS) \
		$(CLI_SCRIPTS) $(BROKER_SCRIPTS) \
		$(SAN_SETTINGS) $(UNIT_BINARIES:$(BUILD)/%=$(SAN)/%) $(CLI_SCRIPTS) \
		$(HTTP_SCRIPTS)

check-san: ## run unit and command-line tests with ASan and UBSan only
	$(SAN_MAKE) -j$(JOBS) all units
	@tests/run -j $(JOBS) $(SAN_SETTINGS) $(UNIT_BINARIES:$(BUILD)/%=$(SAN)/%) \
		$(CLI_SCRIPTS) $(HTTP_SCRIPTS)

check-valgrind: ## run unit and command-line tests under valgrind
	.mk/packages $(VALGRIND_PACKAGES)
	$(MAKE) -j$(JOBS) all units
	@RUN_TIMEOUT=300 tests/run -j $(JOBS) -t 3600 -w tests/lib/valgrind \
		BUILD=$(BUILD) LILYQ=tests/lib/valgrind-lilyq VECTORS_STEP=20 \
		$(UNIT_BINARIES) $(CLI_SCRIPTS) $(HTTP_SCRIPTS)

# Each script has a broker of its own. 15 minutes are the most that it may take.
check-faults: ## kill brokers and nodes; cut, silence and change what they say
	.mk/packages $(TEST_PACKAGES)
	$(MAKE) -j$(JOBS) all
	+$(SAN_MAKE) -j$(JOBS) all
	@tests/run -j $(JOBS) -t 840 BUILD=$(BUILD) $(FAULT_SCRIPTS)

# The versions that are not installed are unpacked in BUILD/brokers.
check-brokers: ## run the broker tests on BROKERS="3.10 4.0 newest"
	.mk/packages $(TEST_PACKAGES)
	$(MAKE) -j$(JOBS) all $(DRIVERS)
	JOBS=$(JOBS) tests/broker/versions $(BUILD) $(BROKERS) -- \
		$(BROKER_SCRIPTS) $(CLUSTER_SCRIPTS)

# They wait more than they work, so several run on one broker. A version takes
# four minutes, as three of them are a broker's own.
check-hazards: ## show what is lost, doubled or stalled on BROKERS="..."
	.mk/packages $(HAZARD_PACKAGES)
	$(MAKE) -j$(JOBS) all
	JOBS=4 tests/broker/versions $(BUILD) $(BROKERS) -- -c -t 420 $(HAZARD_SCRIPTS)

# What tests reach of the library, by line: first all those that need no broker,
# which must be enough; then, to know it, with those that do.
COV := $(BUILD)/cov
COVERAGE_MINIMUM := 95
GCOVR = gcovr --root . --object-directory $(COV) --filter lib/ $(COV)/obj/lib

coverage: ## measure the line coverage of lib/, 95 % wanted without a broker
	.mk/packages $(COVERAGE_PACKAGES)
	rm -rf $(COV)
	$(MAKE) -j$(JOBS) BUILD=$(COV) SANITIZE=--coverage CFLAGS='-O0 -g' all units
	@tests/run -j $(JOBS) BUILD=$(COV) $(UNIT_BINARIES:$(BUILD)/%=$(COV)/%) \
		$(GOLDEN_SCRIPTS) $(HTTP_SCRIPTS)
	$(GCOVR) --fail-under-line $(COVERAGE_MINIMUM)
	@tests/run -j $(JOBS) BUILD=$(COV) $(BROKER_SCRIPTS)
	$(GCOVR)

$(BUILD)/fail_alloc.so: tests/oom/fail_alloc.c Makefile .mk/check.mk
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(CPPFLAGS) $(CFLAGS) -fvisibility=default \
		-shared -o $@ $<
