package attach_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/attach"
)

// sound is a JVM without a known bug.
func sound() attach.Target { return attach.Target{PID: 7, Version: "26.0.1+8", Collector: "G1"} }

// A request that is not in the table is not sent, whatever it is made of.
func TestARequestOutsideTheTableIsNotSent(t *testing.T) {
	for _, cmd := range []attach.Command{
		{}, attach.Jcmd(), attach.Jcmd(""), attach.Jcmd("GC.run"), attach.Jcmd("VM.version", "GC.run"),
		attach.Jcmd("VM.version\nGC.run"), attach.Jcmd("VM.version GC.run"), attach.Jcmd(" VM.version"),
		attach.Jcmd("VM.version "), attach.Jcmd("VM.version\t-x"), attach.Jcmd("VM.version\n"),
		attach.Jcmd("VM.flags -all=true"), attach.Jcmd("VM.native_memory baseline"), attach.Jcmd("Thread.print"),
		attach.Jcmd("Thread.dump_to_file /tmp/x"), attach.Jcmd("Thread.dump_to_file -format=json /tmp/a b"),
		attach.Jcmd("Thread.dump_to_file -format=json /tmp/a\nGC.run"), attach.Jcmd("JFR.stop"),
		attach.Jcmd("JFR.stop name="), attach.Jcmd("JFR.stop name=a filename=/etc/x"),
		attach.Jcmd("JVMTI.agent_load /tmp/x.so"),
	} {
		err := (&attach.Client{Force: true}).Refusal(sound(), cmd)
		wantError(t, err, attach.CodeRequest)
	}
}

// Each form of the table is sent, and its own commands as well.
func TestTheTableIsSent(t *testing.T) {
	cmds := []attach.Command{
		attach.PlainThreadDump(), attach.ThreadDump(8, true), attach.ThreadDump(26, false), attach.ThreadDump(26, true),
		attach.GetVersion(), attach.LoadAgent("/tmp/a b/libasyncProfiler.so", "start,event=cpu"),
		attach.Jcmd("VM.version", "VM.uptime"),
	}
	for _, o := range attach.Operations() {
		for _, form := range o.Forms {
			if strings.ContainsAny(o.Name[:1], "abcdefghijklmnopqrstuvwxyz") {
				continue // of the protocol, above
			}
			cmds = append(cmds, attach.Jcmd(strings.ReplaceAll(form, "*", "1")))
		}
	}
	for _, cmd := range cmds {
		if err := (&attach.Client{}).Refusal(sound(), cmd); err != nil {
			t.Errorf("%v: %v", cmd, err)
		}
	}
}

// The rows are complete, in order, and each name is there once.
func TestTheTableIsComplete(t *testing.T) {
	names := map[string]bool{}
	for _, o := range attach.Operations() {
		if o.Name == "" || o.Stop == "" || o.Sender == "" || names[o.Name] {
			t.Errorf("%+v", o)
		}
		names[o.Name] = true
		for _, bug := range o.Crashes {
			if !strings.HasPrefix(bug.Bugs, "JDK-") || bug.Why == "" || len(bug.Releases) == 0 {
				t.Errorf("%s: %+v", o.Name, bug)
			}
			if !slices.IsSortedFunc(bug.Releases, func(a, b attach.Releases) int { return a.First - b.First }) {
				t.Errorf("%s: releases %v", o.Name, bug.Releases)
			}
		}
	}
}

// What is typed is sent as it was, but for what can crash the release.
func TestWhatIsTypedIsSent(t *testing.T) {
	for _, line := range []string{
		"help", "GC.run", "VM.version\nGC.run", "Thread.print -l", "JVMTI.agent_load /tmp/x.so", "",
	} {
		if err := (&attach.Client{}).Refusal(sound(), attach.Typed(line)); err != nil {
			t.Errorf("%q: %v", line, err)
		}
	}
}
