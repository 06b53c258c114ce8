package hotspot_test

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
)

// TestProfile samples threads that never wait, in interpreted code, in that of each compiler, and mixed: what is known
// of their stacks to the end is a chain that the program can have, and most are known.
func TestProfile(t *testing.T) {
	const few = 200
	stacks, lines := stacksToRead(t, few), chainLines(t, "Spinning")
	for _, jdk := range builds(t) {
		for _, mode := range []string{"", "-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation"} {
			if stacks == few && !jvmtest.Everywhere() && !inSlice(jdk.Version, mode) {
				continue // make heavy and make soak-memory have them all
			}
			t.Run(fmt.Sprint(jdk.Version, mode), func(t *testing.T) {
				t.Parallel()
				least := 0.9
				if mode == "-Xint" { // much of what it runs is between two frames
					least = 0.75
				}
				jvm := start(t, jdk, "Spinning", strings.Fields(mode)...)
				checkProfile(t, openProfile(t, jvm), lines, stacks, least)
			})
		}
	}
}

// openProfile samples all threads of a JVM.
func openProfile(t *testing.T, jvm *jvmtest.JVM) *hotspot.Profile {
	t.Helper()
	p, err := hotspot.OpenProcess(t.Context(), kernel.New("/proc"), jvm.PID())
	if err != nil {
		t.Fatal(err)
	}
	profile, err := p.Profile(t.Context(), time.Millisecond)
	if errors.Is(err, fs.ErrPermission) {
		jvmtest.Lack(t, "the right to sample by perf")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(profile.Close)
	times, err := p.CPUTimes()
	if err != nil {
		t.Fatal(err)
	}
	for _, tid := range times.ByUse() {
		if err := profile.Add(tid); err != nil {
			t.Fatal(err)
		}
	}
	return profile
}

func checkProfile(t *testing.T, profile *hotspot.Profile, lines []int, stacks int, least float64) {
	t.Helper()
	whole, known := 0, 0
	why := map[string]int{}
	for known < stacks {
		if err := profile.Wait(t.Context(), 100*time.Millisecond); err != nil {
			t.Fatal(err)
		}
		batch, err := profile.Stacks(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range batch.Samples {
			if !strings.HasPrefix(s.Thread, "known-") {
				continue
			}
			if known++; s.Stack.Cut != "" {
				why[s.Stack.Cut]++
				continue
			}
			whole++
			frames := javaFrames(s.Stack)
			if len(frames) == 0 || !isChain(frames, lines) || impossibleCall(frames) != "" {
				t.Errorf("%s cannot have this stack: %v", s.Thread, s.Stack.Frames)
			}
		}
	}
	t.Logf("%d of %d are whole; %v", whole, known, why)
	if float64(whole) < least*float64(known) {
		t.Errorf("%d of %d stacks are whole; %v", whole, known, why)
	}
}

func javaFrames(s hotspot.SampledStack) []hotspot.Frame {
	var frames []hotspot.Frame
	for _, f := range s.Frames {
		if f.Java {
			frames = append(frames, hotspot.Frame{Text: f.Text})
		}
	}
	return frames
}

// TestProfileOfNativeCode: threads of the collector are known to their beginning, and Java code that calls into the
// JVM and the kernel has its callers.
func TestProfileOfNativeCode(t *testing.T) {
	for _, version := range []string{"8", "21"} {
		for _, program := range []struct {
			work  string
			kinds []string
		}{{"garbage", []string{"in the collector", "in the JVM"}}, {"compile", []string{"in the kernel"}}} {
			jvm := jvmtest.Start(t, jvmtest.Find(t, version), jvmtest.Options{
				Class: "Work", Args: []string{program.work}, JVMArgs: []string{"-Xmx256m", "-XX:+UseParallelGC"},
			})
			seeKinds(t, openProfile(t, jvm), program.kinds)
		}
	}
}

// seeKinds takes samples until each kind of stack was among them.
func seeKinds(t *testing.T, profile *hotspot.Profile, kinds []string) {
	t.Helper()
	if !profile.Kernel() {
		kinds = slices.DeleteFunc(slices.Clone(kinds), func(kind string) bool { return kind == "in the kernel" })
	}
	seen := map[string]bool{}
	for slices.ContainsFunc(kinds, func(kind string) bool { return !seen[kind] }) {
		if err := profile.Wait(t.Context(), 100*time.Millisecond); err != nil {
			t.Fatal(err)
		}
		batch, err := profile.Stacks(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range batch.Samples {
			seen[kindOfStack(s)] = true
		}
	}
}

// kindOfStack is what a thread does that has native frames, empty for others and where its stack is not whole.
func kindOfStack(s hotspot.RunSample) string {
	frames := s.Stack.Frames
	if s.Stack.Cut != "" || len(frames) < 3 {
		return ""
	}
	inner, outer := frames[0].Text, frames[len(frames)-1]
	switch {
	case !s.Java && strings.Contains(s.Thread, "GC") && strings.HasPrefix(outer.Text, "libc.so"):
		return "in the collector"
	case s.Java && outer.Java && strings.HasPrefix(inner, "libjvm.so!"):
		return "in the JVM"
	case s.Java && outer.Java && strings.HasPrefix(inner, "[kernel]!"):
		return "in the kernel"
	}
	return ""
}
