package iowait_test

import (
	"testing"

	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// A thread that reads straight from its run method waits for the next line, also in a class of a server, unless another
// thread waits for it to end.
func TestReadersInTheirOwnRun(t *testing.T) {
	console := []string{"!java.io.FileInputStream.readBytes", "java.io.FileInputStream.read",
		"java.io.BufferedReader.readLine"}
	reads := func(below ...string) *threaddump.Thread {
		return Thread(1, "console", At(append(console[:len(console):len(console)], below...)...), Used(1, 99))
	}
	const server = "net.minecraft.server.dedicated.DedicatedServer"
	joiner := Thread(2, "closer", At("!java.lang.Object.wait", "java.lang.Thread.join", "App.close", "App.run"),
		Waiting(0xb), Used(1, 99), func(th *threaddump.Thread) { th.Locks[0].Class = server + "$1" })
	for name, c := range map[string]struct {
		threads []*threaddump.Thread
		finds   bool
	}{
		"a server's":           {[]*threaddump.Thread{reads(server + "$1.run")}, false},
		"the program's":        {[]*threaddump.Thread{reads("App$1.run")}, false},
		"a call of the server": {[]*threaddump.Thread{reads(server+".load", server+"$1.run")}, true},
		"another waits for it": {[]*threaddump.Thread{reads(server + "$1.run"), joiner}, true},
	} {
		var all []timeline.Observation
		for i := range 3 {
			all = append(all, Observe(float64(10*i), c.threads...))
		}
		if r := Diagnose(all...); (len(r.Findings) > 0) != c.finds {
			t.Errorf("%s: %s", name, r.Verdict.Summary)
		}
	}
}
