# What one can do here. A fresh machine needs Python 3.11, git and make, and nothing else.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
HOST ?= 127.0.0.1
PORT ?= 8000
BENCH ?=
LOCALES ?= $(notdir $(wildcard locale/*))

.DEFAULT_GOAL := help
.PHONY: help play production test soak check format records bench messages screenshots clean

help: ## say what can be done here
	@echo "Tesela. What you can do:"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: .venv/.play ## open the site on this machine (HOST=127.0.0.1 PORT=8000)
	@exec $(BIN)/python manage.py serve --prepare --host "$(HOST)" --port "$(PORT)"

production: .venv/.play ## open it on this machine in the production shape (PORT=8443; needs PostgreSQL, Redis, nginx)
	@exec $(BIN)/python -m deploy.local $(if $(filter file,$(origin PORT)),,--port "$(PORT)")

test: .venv/.dev ## run every test that this machine can run
	@$(BIN)/python -m tests

soak: .venv/.dev ## run what counts by thousands in full, on PostgreSQL and Redis (an hour or more)
	@$(BIN)/python -m tests --soak

check: .venv/.dev ## lint, format, types, imports, missing migrations, templates, settings of production
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python manage.py makemigrations --check --dry-run --settings config.settings.test
	$(BIN)/djlint --lint --quiet templates games
	@echo "manage.py check --deploy, with the settings of production"
	@HTTPS=1 ALLOWED_HOSTS=tesela.example SECRET_KEY="$$($(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(60))')" \
	  $(BIN)/python manage.py check --deploy --fail-level WARNING --settings config.settings.prod

format: .venv/.dev ## let ruff put the code in order
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

records: .venv/.play ## draw the golden traces of tests/records anew, to be reviewed as a diff
	@for rules in games/*/rules*; do \
	  game=$$(basename $$(dirname $$rules)); \
	  for trace in tests/records/$$game/*.trace.jsonl; do \
	    [ -f "$$trace" ] || continue; \
	    $(BIN)/python manage.py record trace "$${trace%.trace.jsonl}.json" > "$$trace.new" && mv "$$trace.new" "$$trace" || exit 1; \
	  done; \
	done
	@git --no-pager diff --stat -- tests/records

bench: .venv/.dev ## measure what rules, drawings and moves cost, these beside a bare floor (needs PostgreSQL and Redis; half an hour)
	@$(BIN)/python -m benchmarks.rules
	@$(BIN)/python -m benchmarks.drawing
	@$(BIN)/python -m benchmarks.house $(BENCH)

screenshots: .venv/.dev ## take the pictures in docs/img anew (needs Chromium)
	@$(BIN)/python -m tests.browser.pictures

messages: .venv/.play ## gather the texts to translate, and compile what is translated (needs gettext; a new language: LOCALES=fr)
	@command -v xgettext > /dev/null || { echo "Install gettext first (apt-get install gettext)."; exit 1; }
	$(BIN)/python manage.py makemessages --add-location file --no-obsolete $(LOCALES:%=--locale %) --ignore .venv --ignore staticfiles
	@for locale in $(LOCALES); do \
	  msgfmt --check --output-file=locale/$$locale/LC_MESSAGES/django.mo locale/$$locale/LC_MESSAGES/django.po || exit 1; \
	done

clean: ## forget the environment and the collected files; var/ with its data stays
	rm -rf .venv staticfiles .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Tesela needs Python 3.11 or newer: make PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv .venv

.venv/.play: requirements.txt constraints.txt | .venv/bin/python
	@echo "Installing what the site runs on ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

.venv/.dev: requirements-dev.txt .venv/.play
	@echo "Installing what working on it needs ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@
