package classfile

import (
	"fmt"
	"testing"
	"time"
)

const bells = `import java.util.*;
import java.util.concurrent.*;
class Bells {
	static final long DAY = 24 * 60 * 60 * 1000L;
	static long some = DAY;
	static class Day { void ring(Timer t, TimerTask a) { t.schedule(a, DAY); } }
	static class Most { void ring(Timer t, TimerTask a) { t.schedule(a, Long.MAX_VALUE); } }
	static class Past { void ring(Timer t, TimerTask a) { t.schedule(a, -DAY); } }
	static class Soon { void ring(Timer t, TimerTask a) { t.schedule(a, 3000); } }
	static class Both { void ring(Timer t, TimerTask a) { t.schedule(a, DAY); t.schedule(a, 500); } }
	static class Again { void ring(Timer t, TimerTask a) { t.schedule(a, DAY, DAY); } }
	static class Twice { void ring(Timer t, TimerTask a) { t.schedule(a, DAY); t.schedule(a, 3_600_000); } }
	static class Urgent { void ring(Timer t, TimerTask a, boolean now) { t.schedule(a, now ? 100L : 3_600_000L); } }
	static class When { void ring(Timer t, TimerTask a, Date d) { t.schedule(a, d); t.schedule(a, DAY); } }
	static class Unknown { void ring(Timer t, TimerTask a) { t.schedule(a, some); } }
	static class Hour { void ring(ScheduledExecutorService s, Runnable a) { s.schedule(a, 1, TimeUnit.HOURS); } }
	static class Minutes { void ring(ScheduledThreadPoolExecutor s, Callable<String> a) { int n = 0; s.schedule(a, 200, TimeUnit.MINUTES); } }
	static class Seconds { void ring(ScheduledExecutorService s, Runnable a) { s.schedule(a, 299, TimeUnit.SECONDS); } }
	static class Micros { void ring(ScheduledExecutorService s, Runnable a) { s.schedule(a, 90_000_000L, TimeUnit.MICROSECONDS); } }
	static class Half { void ring(Timer t, TimerTask a) { t.schedule(a, TimeUnit.MINUTES.toMillis(30)); } }
	static class Longer { void ring(Timer t, TimerTask a) { t.schedule(a, java.time.Duration.ofHours(2).toMillis()); } }
	static class Short { void ring(Timer t, TimerTask a) { t.schedule(a, TimeUnit.SECONDS.toMillis(30)); t.schedule(a, DAY); } }
	static class Given { void ring(Timer t, TimerTask a, TimeUnit u) { t.schedule(a, u.toMillis(30)); } }
	static class Now { void ring(Timer t, TimerTask a) { t.schedule(a, System.currentTimeMillis()); } }
	interface Ring { Object at(Runnable r, long n, TimeUnit u); }
	static class Handed { Ring ring(ScheduledExecutorService s, Runnable a) { s.schedule(a, 1, TimeUnit.DAYS); return s::schedule; } }
	static class Own { void schedule(TimerTask a, long n) { } void ring(TimerTask a) { schedule(a, DAY); } }
}
`

func TestWhatIsHandedToSchedulersForLong(t *testing.T) {
	made := compile(t, bells)
	for class, want := range map[string]string{
		"Day": "[java.util.Timer.schedule]", "Most": "[java.util.Timer.schedule]", "Past": "[]", "Soon": "[]", "Both": "[]", "Again": "[]", "Twice": "[java.util.Timer.schedule]", "Urgent": "[]", "When": "[]", "Unknown": "[]",
		"Hour": "[java.util.concurrent.ScheduledExecutorService.schedule]", "Minutes": "[java.util.concurrent.ScheduledThreadPoolExecutor.schedule]",
		"Seconds": "[]", "Half": "[java.util.Timer.schedule]", "Longer": "[java.util.Timer.schedule]", "Short": "[]", "Given": "[]", "Now": "[]", "Micros": "[]", "Handed": "[]", "Own": "[]",
	} {
		c, err := Parse(made["Bells$"+class])
		if err != nil {
			t.Fatal(err)
		}
		held, delay := c.Held(5 * time.Minute)
		if got := fmt.Sprint(held); got != want {
			t.Errorf("%s: %s, want %s", class, got, want)
		}
		if class == "Twice" && delay != time.Hour {
			t.Errorf("%s: due after %s", class, delay)
		}
	}
}
