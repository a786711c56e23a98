# What is needed beyond a plain Debian 12, by its package names. .mk/packages
# installs those of a list that are missing.

BUILD_PACKAGES := gcc libc6-dev make pkgconf libinih-dev librabbitmq-dev \
	 libssl-dev libcurl4-openssl-dev libpcre2-dev
TEST_PACKAGES := $(BUILD_PACKAGES) libcmocka-dev libjansson-dev rabbitmq-server amqp-tools \
	ca-certificates clang curl openssl graphviz jq locales-all mandoc python3-jsonschema \
	librsvg2-bin shellcheck zsh fish
HAZARD_PACKAGES := $(TEST_PACKAGES) python3-pika
LINT_PACKAGES := $(BUILD_PACKAGES) libcmocka-dev libjansson-dev clang clang-format clang-tidy \
	cppcheck mandoc shellcheck
FUZZ_PACKAGES := $(BUILD_PACKAGES) libjansson-dev clang libclang-rt-14-dev
BENCH_PACKAGES := $(BUILD_PACKAGES) libjansson-dev
BENCH_BROKER_PACKAGES := $(BENCH_PACKAGES) rabbitmq-server curl jq openssl python3
COVERAGE_PACKAGES := $(TEST_PACKAGES) gcovr
VALGRIND_PACKAGES := $(TEST_PACKAGES) valgrind
