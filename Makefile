# make build    build/jstall for this machine
# make install  binary, manual page and completion below PREFIX
# make demo     a real JVM misbehaves and jstall says how
# make test     everything the build server runs
# make dist     the files of a release, in dist/
SHELL := /bin/bash
.DEFAULT_GOAL := build

VERSION ?= $(patsubst v%,%,$(shell git describe --tags --always --dirty 2>/dev/null || echo dev))
COMMIT ?= $(shell git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
# urfave_cli_no_docs leaves a Markdown parser out, which takes 0.4 ms of every start; nethttpomithttp2 leaves HTTP/2
# out, 0.5 MB, which net/http speaks only over TLS: flame --http serves its pages without TLS
GO_BUILD = CGO_ENABLED=0 go build -tags urfave_cli_no_docs,nethttpomithttp2 -trimpath -ldflags '-s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT)'
GOOS ?= $(shell go env GOOS)
GOARCH ?= $(shell go env GOARCH)
PREFIX ?= /usr/local
FUZZTIME ?= 3000x

# on a build server nothing may be skipped for lack of a JDK, a compiler or a right
ifeq ($(CI),true)
export REQUIRE_ALL ?= 1
endif

.PHONY: build build-all install uninstall dist dist-test size setup jdks test fuzz demo
.PHONY: bench bench-flame bench-watch bench-jfr jfr-views eval matrix heavy lint soak soak-memory

build:
	GOOS=$(GOOS) GOARCH=$(GOARCH) $(GO_BUILD) -o build/jstall ./cmd/jstall

build-all:
	GOOS=linux GOARCH=amd64 $(GO_BUILD) -o build/jstall-linux-amd64 ./cmd/jstall
	GOOS=linux GOARCH=arm64 $(GO_BUILD) -o build/jstall-linux-arm64 ./cmd/jstall
	GOOS=darwin GOARCH=arm64 $(GO_BUILD) -o build/jstall-darwin-arm64 ./cmd/jstall
	GOOS=windows GOARCH=amd64 $(GO_BUILD) -o build/jstall-windows-amd64.exe ./cmd/jstall

HOST = $(shell go env GOHOSTOS)/$(shell go env GOHOSTARCH)
# what packages install, below DESTDIR and PREFIX
PAGE = $(DESTDIR)$(PREFIX)/share/man/man1
BASH_COMPLETION = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSH_COMPLETION = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
FISH_COMPLETION = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d

install: build
	$(if $(filter $(HOST),$(GOOS)/$(GOARCH)),JSTALL=$(CURDIR)/build/jstall) scripts/pages.sh build/share $(VERSION)
	install -d $(DESTDIR)$(PREFIX)/bin $(PAGE) $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION)
	install -m 755 build/jstall $(DESTDIR)$(PREFIX)/bin/jstall
	install -m 644 build/share/man/jstall.1 $(PAGE)/jstall.1
	install -m 644 build/share/completions/jstall.bash $(BASH_COMPLETION)/jstall
	install -m 644 build/share/completions/_jstall $(ZSH_COMPLETION)/_jstall
	install -m 644 build/share/completions/jstall.fish $(FISH_COMPLETION)/jstall.fish

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/jstall $(PAGE)/jstall.1 $(BASH_COMPLETION)/jstall $(ZSH_COMPLETION)/_jstall \
		$(FISH_COMPLETION)/jstall.fish

# the tag must be on the commit; SNAPSHOT=1 makes the files of any commit, after the version that CHANGELOG.md has next
dist: export NEXT = $(shell sed -n 's/^[^ ]* \[\([0-9.]*\)\].*/\1/p' CHANGELOG.md | head -n 1)
dist: export COMMIT_TIME = $(shell git log -1 --format=%ct)
dist: export COMMIT_DATE = $(shell TZ=UTC git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd)
dist: export COMMIT := $(COMMIT)
dist: build/tools/goreleaser
	build/tools/goreleaser release --clean --skip=publish $(if $(SNAPSHOT),--snapshot)

# seven minutes of CPU, once
build/tools/goreleaser: scripts/release/go.mod scripts/release/go.sum
	cd scripts/release && GOBIN=$(CURDIR)/build/tools go install tool
	@touch $@

# installs the .deb of dist/ in a minimal Debian, and tries the page and the completion there (root, mmdebstrap)
dist-test:
	scripts/install-test.sh

# what each library adds to the binary
size:
	@scripts/size.sh

setup:
	@scripts/setup.sh test

# without them the tests that want other JDKs are skipped, on a build server they fail
jdks:
	@scripts/jdks.sh || [ "$$REQUIRE_ALL" != 1 ]

# the tests of commands with the race detector: several targets at a time, interrupts, servers
RACE_CLI = Several|Interrupt|HTTP|Defect|Targets|Silence|EndsInTheMiddle

# one way of compiling for every part, also for what tests build: that of the released binary, whose results do not
# depend on the folder of the checkout, so that another one finds them in Go's cache. Without tables for debuggers each
# of a hundred binaries is linked in half the time. TestToolsFindNothing runs go vet.
GO_TEST = GOFLAGS='-trimpath -ldflags=-s' CGO_ENABLED=0 go test -json -count 1 -vet off -timeout 15m
GO_RACE = GOFLAGS='-trimpath -ldflags=-s' go test -json -race -count 1 -vet off -timeout 15m

# runs go test -json for a part, and keeps its results for the summary
COUNT = build/tools/tests

# two parts at a time, one for each core of a small machine, the longest first; all run, whichever fails
PARTS = test-commands test-plain test-trials test-race test-commands-race test-fuzz
test: setup jdks
	@rm -rf build/tests
	@$(MAKE) --no-print-directory -k -j2 $(PARTS); parts=$$?; $(COUNT) -summary $(PARTS:test-%=%) && exit $$parts

.PHONY: $(PARTS) $(COUNT)
$(PARTS): $(COUNT)
$(COUNT):
	@GOFLAGS=-trimpath CGO_ENABLED=0 go build -o $@ ./scripts/tests

# most of these tests wait for JVMs: four at a time
test-commands:
	packages=$$(scripts/packages.sh commands) && $(COUNT) commands env $(GO_TEST) -p 1 -parallel 4 $$packages

test-commands-race:
	packages=$$(scripts/packages.sh commands-race '$(RACE_CLI)') && $(COUNT) commands-race env $(GO_RACE) -p 1 -run '$(RACE_CLI)' $$packages

test-plain:
	packages=$$(scripts/packages.sh plain) && $(COUNT) plain env $(GO_TEST) -p 1 $$packages

test-trials:
	$(COUNT) trials env $(GO_TEST) ./trials

test-race:
	packages=$$(scripts/packages.sh race) && $(COUNT) race env $(GO_RACE) -p 1 $$packages

test-fuzz:
	$(COUNT) fuzz env GOFLAGS='-trimpath -ldflags=-s' CGO_ENABLED=0 scripts/fuzz.sh -json $(FUZZTIME)

# every fuzz target of every package for so long
fuzz:
	@GOFLAGS=-trimpath CGO_ENABLED=0 scripts/fuzz.sh $(FUZZTIME)

demo:
	@scripts/demo.sh

# SAVE=1 writes bench/RESULTS.md, WITH_JDK=1 fetches jcmd and jstack of every JDK to compare with
bench:
	@bench/run.sh

# what profiles cost the target, and how true they are beside async-profiler (needs mvn); an hour, SAVE=1 as above.
# FLAME_PAIRS=30 BENCH_TIMEOUT=6h looks thirty times how much is lost, FLAME_ONLY="nine web crowd loss" and
# FLAME_ENGINES="perf jfr dumps" choose
bench-flame:
	@bench/run.sh TestFlameFigures

# how soon watch tells of each kind of event, and what it costs: ten minutes, SAVE=1 and WATCH_RUNS=20 as you like
bench-watch:
	@bench/run.sh TestWatchFigures

# recordings of 100 MB beside the jfr tool of JDK 25: two minutes, SAVE=1 as you like
bench-jfr:
	@bench/run.sh TestJFRFigures

# the diagnosis on every program of testdata/eval, alone and beside other work, of testdata/frameworks and of
# testdata/incidents (all but the first need mvn); EVAL_JDKS="17 21" and EVAL_ONLY="ID ..." choose, EVAL_JOBS=3 runs
# three that stand still at a time, EVAL_VIA=auto also reads objects from the JVMs' memory
eval: setup jdks
	EVAL=1 go test -count 1 -run '^TestLive' -timeout 5h -v ./eval

# every trial on every JDK and collector, several builds of one release among them; writes the tables in
# threaddump/doc.go and attach/doc.go
matrix: export JSTALL_JDKS ?= $(HOME)/.cache/jstall/matrix
matrix: setup
	scripts/jdks.sh $(JSTALL_JDKS) 8 11 21 25 26,27 28
	MATRIX=1 go test -count 1 -run '^TestMatrix$$' -timeout 1h -v ./trials

# what takes too long for each change: every program of testdata/virtual on JDK 21, 25 and 26 in every source (an hour;
# VIRTUAL_JDKS, VIRTUAL_SOURCES, VIRTUAL_GC and EVAL_ONLY choose), and hundreds of captures of JVMs whose virtual
# threads mount and unmount all the time, on every collector; every test that make test runs for some JDKs, collectors
# and ways of running code, for all: 600,000 stacks of virtual threads, call by call, and all ways to wait beside the
# JVM's own dump are among them; seven real servers with their clients, healthy and with faults, on JDK 17 and 25 (needs
# mvn; twenty minutes each); the laws of the diagnosis on every derived input; and each fuzz target for 100,000 inputs
heavy: setup jdks
	HEAVY=1 go test -count 1 -run '^Test(Virtual|NoHarm)' -timeout 6h -v ./eval ./trials
	HEAVY=1 go test -count 1 -p 1 -skip '^TestNoHarm$$' -timeout 6h ./attach ./internal/... ./trials
	HEAVY=1 go test -count 1 -run '^Test(Server|Laws)' -timeout 3h -v ./eval
	@scripts/fuzz.sh 100000x

# every view of the JDK's jfr, on recordings of 17, 21 and 25, beside what that tool shows; four minutes
jfr-views: setup jdks
	JFR_VIEWS=1 go test -count 1 -run '^TestViewsEqualThoseOfTheJDK$$' -timeout 30m -v ./internal/cli

lint:
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "lint: gofmt -w these" >&2; exit 1; }
	go vet ./...
	go tool -modfile=scripts/lint/go.mod staticcheck ./...

# a million stacks of each JDK, read from memory while objects move, threads start and end, and code becomes invalid; and
# of threads that run in each way of running code: none may be wrong and unmarked. Hours; STACKS=20000 takes fewer
STACKS ?= 1000000
soak-memory: setup jdks
	STACKS=$(STACKS) go test -count 1 -run '^Test(TruthUnderChurn|RunningThreads|Profile)$$' -timeout 48h -v ./internal/hotspot

# a thousand captures of JVMs that cannot answer, whose figures SAVE=1 writes to trials/RESULTS.md, and then every test
# with more of everything
soak: setup jdks
	SOAK=1 go test -count 1 -run '^TestSoak$$' -timeout 1h -v ./trials
	SOAK=1 go test -race -timeout 4h -skip '^TestSoak$$' ./...
	@scripts/fuzz.sh 10m
