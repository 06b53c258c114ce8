package session

import (
	"errors"
	"slices"
	"strings"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/live"
)

// refusesVirtual is the error of --virtual always for a JVM that listing its virtual threads can crash.
func (l *Capturer) refusesVirtual(t Target) error {
	if !t.IsLive() || l.Options.Virtual != source.VirtualAlways {
		return nil
	}
	src := &live.Source{Kernel: l.Kernel, Process: *t.Process}
	err := src.Asker().RefusesVirtual()
	if e, ok := errors.AsType[*attach.Error](err); ok {
		e.Remedy = "omit --virtual always; no flag overrides this"
	}
	return err
}

// virtualWays returns the ways to see the virtual threads of a running JVM whose memory could not be read: to get the
// missing right, or to let Java code list them if that cannot end the JVM. Nil for saved dumps.
func (l *Capturer) virtualWays(t Target) []string {
	if !t.IsLive() {
		return nil
	}
	src := &live.Source{Kernel: l.Kernel, Process: *t.Process}
	var ways []string
	if l.Options.Via == source.ViaAttach {
		ways = []string{"omit --via attach"}
	} else if right := src.Memory().Right(); right.Result == attach.NotOK && right.Remedy != "" {
		ways = imperatives(strings.Split(right.Remedy, ", or "))
	}
	safe := source.NeedsOf(l.Plan.Kinds).Java && src.Asker().RefusesVirtual() == nil
	if safe && l.Options.Virtual != source.VirtualAlways && l.Options.Via != source.ViaMemory {
		ways = slices.Insert(ways, min(1, len(ways)), "add --virtual always")
	}
	return ways
}

// imperatives turns remedies into sentences: command lines get a verb.
func imperatives(remedies []string) []string {
	verbs := map[string]string{"sudo": "run ", "sg": "run ", "sysctl": "run ", "jstall": "run ", "docker": "use ",
		"kubectl": "use "}
	for i, remedy := range remedies {
		program, _, _ := strings.Cut(remedy, " ")
		remedies[i] = verbs[program] + remedy
	}
	return remedies
}
