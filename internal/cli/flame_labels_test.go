package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/flame"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

// shopProgram works for two customers, for one six times as long as for the other, within events of two threads, and
// outside of events. The event of the thread batch is open while the recording begins its second chunk.
const shopProgram = `
import jdk.jfr.*;

public class Shop {
    @Name("shop.Order") static class Order extends Event {
        @Contextual String customer;
        long number;
        @Timespan(Timespan.MILLISECONDS) long budget = 250;
    }
    @Name("shop.Step") static class Step extends Event { @Contextual String name; }
    @Name("shop.Opened") static class Opened extends Event { String by = "x"; }

    static volatile long sink;

    /** work takes about so much CPU time: on a busy machine it lasts longer. */
    static void work(long millis) {
        long sum = 0;
        for (long i = 0; i < millis * 700_000; i++) sum += sum * 31 + i;
        sink = sum;
    }

    static void sell(String customer, long millis) {
        Order order = new Order();
        order.begin();
        order.customer = customer;
        Step step = new Step();
        step.begin();
        step.name = "price";
        work(millis / 2);
        step.commit();
        work(millis - millis / 2);
        order.commit();
    }

    static void serve() {
        java.util.Random random = new java.util.Random(1); // out of step with the sampler
        for (int i = 0; i < 20; i++) {
            long millis = 5 + random.nextInt(11);
            sell("acme", 6 * millis);
            sell("bulk", millis);
        }
    }

    static void batch() {
        Order order = new Order();
        order.begin();
        order.customer = "batch";
        work(900);
        order.commit();
    }

    /** serving is a virtual thread where there are some. */
    static Thread serving() throws Exception {
        Runnable serve = Shop::serve;
        try {
            return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, serve);
        } catch (NoSuchMethodException before21) {
            Thread t = new Thread(serve, "server");
            t.start();
            return t;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread first = serving();
        Thread second = new Thread(Shop::batch, "batch");
        second.start();
        Thread.sleep(300);
        Recording other = new Recording();
        other.start(); // begins a chunk
        other.close();
        new Opened().commit();
        second.join();
        first.join();
        work(200);
    }
}`

// contextualAnnotation stands for that of JDK 25, which an older compiler lacks; there the JVM has its own.
const contextualAnnotation = `package jdk.jfr;
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) public @interface Contextual {}`

// compileShop is the folder of the classes of shopProgram.
func compileShop(t *testing.T) string {
	t.Helper()
	jdk, dir := jvmtest.Find(t, jvmtest.System), t.TempDir()
	if jdk.Tool("javac") == "" {
		jvmtest.Lack(t, "no javac in %s", jdk.Home)
	}
	for name, text := range map[string]string{
		"jdk/jfr/Contextual.java": contextualAnnotation, "Shop.java": shopProgram,
	} {
		path := filepath.Join(dir, name)
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644))
		if err != nil {
			t.Fatal(err)
		}
	}
	patched, classes := filepath.Join(dir, "patched"), filepath.Join(dir, "classes")
	executed(t, jdk.Tool("javac"), "--patch-module", "jdk.jfr="+dir, "-d", patched,
		filepath.Join(dir, "jdk/jfr/Contextual.java"))
	executed(t, jdk.Tool("javac"), "--patch-module", "jdk.jfr="+patched, "-d", classes, filepath.Join(dir, "Shop.java"))
	return classes
}

func executed(t *testing.T, command string, args ...string) {
	t.Helper()
	if out, err := exec.Command(command, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", command, args, err, out)
	}
}

// weightBy sums the first values of a profile by a label, "" for samples without it.
func weightBy(t *testing.T, path, label string) map[string]int64 {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	p, err := profile.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	sum := map[string]int64{}
	for _, s := range p.Sample {
		value := flame.LabelValue(s, label)
		sum[value] += s.Value[0]
	}
	return sum
}

// TestFlameLabelsSamplesByEvents: the labels are those of the events of the program around its work.
func TestFlameLabelsSamplesByEvents(t *testing.T) {
	t.Parallel()
	classes := compileShop(t)
	for _, jdk := range recorderJDKs(t) {
		t.Run(strconv.Itoa(jdk.Version), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "shop.jfr")
			executed(t, jdk.Java(), "-XX:StartFlightRecording=settings=profile,filename="+path, "-cp", classes, "Shop")
			out := filepath.Join(t.TempDir(), "out.pb.gz")
			got := run(t, "", "flame", path, "--label-from", "shop.Order.customer", "--label-from", "Order.budget",
				"--label-from", "Step.name", "-o", out)
			if got.code != 0 || !strings.Contains(got.stdout, "samples were taken within an event shop.Order.") {
				t.Fatal(got.stable())
			}
			customers := weightBy(t, out, "Order.customer")
			if a, b := customers["acme"], customers["bulk"]; b == 0 || a < 2*b || a > 20*b {
				t.Errorf("acme has %d, bulk %d: six times as much work", a, b)
			}
			if customers[""] == 0 || len(customers) != 4 {
				t.Errorf("work outside of events has %d of %v", customers[""], customers)
			}
			if budgets := weightBy(t, out, "Order.budget"); len(budgets) != 2 || budgets["250 milliseconds"] == 0 {
				t.Errorf("the budgets have %v", budgets)
			}
			if steps := weightBy(t, out, "Step.name"); steps["price"] < (customers["acme"]+customers["bulk"])/4 ||
				steps["price"] > (customers["acme"]+customers["bulk"])*3/4 {
				t.Errorf("the step has %v, its orders %v", steps, customers)
			}
			checkOpenEvent(t, path)
			checkLabelWords(t, path)
			if jdk.Version >= 25 { // which samples by CPU time
				checkContext(t, path, out)
			}
		})
	}
}

// checkOpenEvent: the event of a thread is written in the second chunk, and labels samples of the first.
func checkOpenEvent(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if chunks := strings.Count(string(data), "FLR\x00\x00"); err != nil || chunks < 2 {
		t.Errorf("%d chunks, %v", chunks, err)
	}
	out := filepath.Join(t.TempDir(), "batch.pb.gz")
	got := run(t, "", "flame", path, "--thread", "batch", "--label-from", "shop.Order.customer", "-o", out)
	if got.code != 0 {
		t.Fatal(got.stable())
	}
	if sum := weightBy(t, out, "Order.customer"); sum["batch"] == 0 || sum[""] > sum["batch"]/5 {
		t.Errorf("the thread batch has %v", sum)
	}
}

// checkContext: the word stands for all contextual fields.
func checkContext(t *testing.T, path, out string) {
	t.Helper()
	if got := run(t, "", "flame", path, "--label-from", "context", "--force", "-o", out); got.code != 0 {
		t.Fatal(got.stable())
	}
	if weightBy(t, out, "Step.name")["price"] == 0 || weightBy(t, out, "Order.number")["0"] != 0 {
		t.Error("the contextual fields are no labels, or others are")
	}
}

// checkLabelWords: words that name nothing, and --by.
func checkLabelWords(t *testing.T, path string) {
	t.Helper()
	got := run(t, "", "flame", path, "--label-from", "shop.Order.customer", "--by", "customer", "--top", "1")
	if got.code != 0 || !strings.Contains(got.stdout, "Order.customer \"acme\": ") ||
		!strings.Contains(got.stdout, "no Order.customer: ") {
		t.Error(got.stable())
	}
	for word, want := range map[string]string{
		"shop.Ordr.customer": "shop.Order.customer", "shop.Order.custmer": "shop.Order.customer",
		"customer": "shop.Order.customer", "Order.stackTrace": "label", "jdk.ExecutionSample.state": "no duration",
	} {
		got := run(t, "", "flame", path, "--label-from", word)
		if got.code != shell.ExitUsage || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: %s", word, got.stable())
		}
	}
	recording, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := run(t, string(recording), "flame", "-", "--label-from",
		"shop.Order.customer"); got.code != shell.ExitUsage ||
		!strings.Contains(got.stderr, "only once") {
		t.Error(got.stable())
	}
	got = run(t, "", "flame", demoDumps[0], "--label-from", "shop.Order.customer")
	if got.code != shell.ExitUsage || !strings.Contains(got.stderr, "flight recording") {
		t.Error(got.stable())
	}
}
