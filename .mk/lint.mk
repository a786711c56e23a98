# Static checks.

C_FILES := $(shell find lib cli tests -name '*.[ch]' 2>/dev/null | sort)
TIDY_FILES := $(filter %.c,$(C_FILES))
SHELL_FILES := $(shell grep -rlIE '^\#!/bin/(ba)?sh|^\# shellcheck shell' \
	.ci .mk tests 2>/dev/null | sort)
# Stand-alone checks, of no arguments.
LINT_SCRIPTS := $(wildcard tests/lint/*.sh)

LINTS := lint-format lint-tidy lint-cppcheck lint-sizes lint-manual lint-shell \
	lint-scripts

.PHONY: lint format $(LINTS)

lint: ## check format, style, sizes, manual pages and scripts
	.mk/packages $(LINT_PACKAGES)
	$(MAKE) -k $(LINTS)

lint-format:
	@echo 'clang-format'
	@clang-format --dry-run -Werror $(C_FILES)

lint-tidy:
	@echo 'clang-tidy'
	@printf '%s\n' $(TIDY_FILES) | xargs -P $(JOBS) -I{} clang-tidy --quiet {} \
		-- -std=c11 $(CPPFLAGS) $(DEP_CFLAGS) 2>/dev/null

lint-cppcheck:
	@echo 'cppcheck'
	@cppcheck --quiet --std=c11 --enable=warning,performance,portability \
		--inline-suppr --suppress=varFuncNullUB \
		--suppress=internalAstError --error-exitcode=1 -j $(JOBS) -Ilib lib cli tests

lint-sizes:
	@tests/lint/sizes $(filter lib/% cli/%,$(C_FILES))

lint-manual:
	@echo 'mandoc'
	@mandoc -T lint -W warning $(MANUALS)

lint-shell:
	@echo 'shellcheck'
	@shellcheck $(SHELL_FILES)

lint-scripts:
	@set -e; for script in $(LINT_SCRIPTS); do $$script; done

format: ## format all C files
	@clang-format -i $(C_FILES)
