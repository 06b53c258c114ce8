package cli

import (
	"strings"
	"testing"
)

func TestAThreadFilterThatFitsNoneSaysNothingOfTheOthers(t *testing.T) {
	demo := "../../testdata/demo/1.txt"
	for _, command := range []string{"status", "most-work", "threads", "waiting-threads", "dependency-tree",
		"dependency-graph"} {
		got := run(t, "", command, demo, "--thread", "nosuch")
		if !strings.Contains(got.stdout, `No thread matches --thread "nosuch"`) {
			t.Errorf("%s does not say that none fits:\n%s", command, got.stdout)
		}
		for _, claim := range []string{"No thread waits", "is RUNNABLE in", "0 threads"} {
			if strings.Contains(got.stdout, claim) {
				t.Errorf("%s claims %q of threads that were not looked at:\n%s", command, claim, got.stdout)
			}
		}
	}
	for _, command := range []string{"waiting-threads", "dependency-tree"} {
		got := run(t, "", command, demo, "--thread", "catalog-indexer")
		if strings.Contains(got.stdout, "No thread waits") ||
			!strings.Contains(got.stdout, "No thread that matches --thread waits") {
			t.Errorf("%s of one that does not wait:\n%s", command, got.stdout)
		}
	}
}

func TestChosenThreadsShowTheirStacksInEveryCommand(t *testing.T) {
	for _, files := range [][]string{{"../../testdata/demo/1.txt"},
		{"../../testdata/demo/1.txt", "../../testdata/demo/2.txt"}} {
		for _, command := range []string{"status", "most-work", "threads", "waiting-threads", "dependency-tree"} {
			got := run(t, "", append([]string{command, "--thread", "51f8"}, files...)...)
			if !strings.Contains(got.stdout,
				"\n\"http-worker-3\"\n  at com.example.orders.Inventory.available(Inventory.java:18)\n  at ") {
				t.Errorf("%s of %d dumps:\n%s", command, len(files), got.stdout)
			}
		}
	}
	for _, command := range []string{"status", "most-work"} {
		if got := run(t, "", command, "../../testdata/demo/1.txt", "--thread", "51f8"); !strings.Contains(got.stdout,
			`"http-worker-3"  com.example`) {
			t.Errorf("%s has no row:\n%s", command, got.stdout)
		}
	}
}
