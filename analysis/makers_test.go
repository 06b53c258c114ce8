package analysis

import (
	"strings"
	"testing"

	"jstall/threaddump"
)

// Who makes the threads that become more is told where the class files leave no more than a few.
func TestWhoMakesWhatBecomesMore(t *testing.T) {
	rest := func(id int64) *threaddump.Thread {
		return thread(id, "rates-"+string(rune('a'+id)), at("!java.lang.Object.wait", "java.util.TimerThread.mainLoop", "java.util.TimerThread.run"), waitingState, used(0.001, 1))
	}
	for _, test := range []struct {
		name     string
		makes    []string
		others   bool
		title    string
		evidence string
	}{
		{"one", []string{"timer/shop.Desk.open:17", "thread/shop.Desk.run:9"}, false, "; made in Desk.open", "shop.Desk.open (line 17) makes a timer again and again, by its class file"},
		{"one of two", []string{"timer/shop.Desk.open:17", "timer/shop.Till.open:18"}, false, "", "shop.Desk.open (line 17) or shop.Till.open (line 18) makes a timer"},
		{"of many", []string{"timer/a.A.a:1", "timer/a.A.b:2", "timer/a.A.c:3", "timer/a.A.d:4"}, false, "", ""},
		{"not all classes were read", []string{"timer/shop.Desk.open:17"}, true, "", ""},
		{"another kind", []string{"executor/shop.Desk.open:17"}, false, "", ""},
	} {
		f := looksOf(&Bytecode{Read: 2, Others: test.others, Makes: test.makes}, rest(1))
		finding := Finding{Title: "more"}
		kind, what := f.threads[0].last().Stack.makerKind()
		f.tellMakers(&finding, kind, what)
		evidence := ""
		for _, e := range finding.Evidence {
			evidence += e.Text
		}
		if finding.Title != "more"+test.title || !strings.HasPrefix(evidence, test.evidence) || evidence != "" && test.evidence == "" {
			t.Errorf("%s: %q, %q", test.name, finding.Title, evidence)
		}
	}
	for class, want := range map[string]string{
		juc + "ThreadPoolExecutor.runWorker": "executor", juc + "ForkJoinWorkerThread.run": "executor",
		"jdk.internal.net.http.HttpClientImpl$SelectorManager.run": "client", "shop.Desk.run": "thread",
	} {
		if got, _ := looksOf(nil, thread(1, "a", at(class), used(0, 1))).threads[0].last().Stack.makerKind(); got != want {
			t.Errorf("%s: %s, want %s", class, got, want)
		}
	}
}

// looksOf are the facts of one dump of a thread, with what the class files say.
func looksOf(code *Bytecode, th *threaddump.Thread) *facts {
	f := factsOf(th)
	f.bytecode = code
	return f
}
