package cli

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

// typedEvents has an event with fields of every type, and does what the events of the queries of docs/jfr-events.md
// tell.
const typedEvents = `
import java.nio.file.*;
import java.util.*;
import jdk.jfr.*;

public class TypedEvents {
	@Name("shop.Typed") @Label("All Types") @Description("One field of each type")
	public static class Typed extends Event {
		boolean flag = true; byte small = -5; char letter = '\u00e4'; short medium = -300; int whole = -70000;
		long large = Long.MAX_VALUE; float half = 0.5f; double third = 0.25; double none = Double.NaN;
		String plain = "plain"; String latin = "caf\u00e9"; String wide = "\u20ac \ud83d\ude00 \"quoted\"\n"; String nothing = null;
		String empty = ""; String many = new String(new char[200]).replace('\0', 'x');
		Class<?> type = String[].class; Thread thread = Thread.currentThread();
		@Label("Took") @Timespan(Timespan.MILLISECONDS) long took = 7; @Timespan(Timespan.TICKS) long unset = Long.MIN_VALUE;
		@Timespan(Timespan.SECONDS) long minute = 60; @Timespan(Timespan.MICROSECONDS) long micros = 3;
		@Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH) long at = 1700000000123L;
		@DataAmount long bytes = 1 << 20; @Percentage float share = 0.125f; @Frequency long rate = 50;
		@MemoryAddress long address = 0xfee1deadL; @Unsigned int unsigned = -1;
	}

	static final Object LOCK = new Object();
	static volatile Object sink;

	public static void main(String[] args) throws Exception {
		Path file = Files.createTempFile("typed", ".txt");
		Files.write(file, new byte[5000]);
		new Typed().commit();
		Thread holder = new Thread(() -> {
			synchronized (LOCK) { try { Thread.sleep(300); } catch (InterruptedException e) { } }
		}, "holder");
		holder.start();
		Thread.sleep(50);
		synchronized (LOCK) { sink = Files.readAllBytes(file); }
		Map<Integer, byte[]> map = new HashMap<>();
		for (long end = System.nanoTime() + 1_000_000_000L; System.nanoTime() < end; )
			map.put((int) (System.nanoTime() % 5000), new byte[1000]);
		System.gc();
		System.gc();
		Files.delete(file);
	}
}
`

// typedRecording records typedEvents with the system's JDK.
func typedRecording(t *testing.T) (path string, jdk jvmtest.JDK) {
	t.Helper()
	jdk, dir := jvmtest.Find(t, jvmtest.System), t.TempDir()
	if jdk.Tool("javac") == "" || jdk.Tool("jfr") == "" {
		jvmtest.Lack(t, "no javac or jfr in %s", jdk.Home)
	}
	source, path := filepath.Join(dir, "TypedEvents.java"), filepath.Join(dir, "typed.jfr")
	if err := os.WriteFile(source, []byte(typedEvents), 0o644); err != nil {
		t.Fatal(err)
	}
	command(t, jdk.Tool("javac"), "-encoding", "UTF-8", "-d", dir, source)
	command(t, jdk.Java(), "-Xlog:disable", "-Xmx64m", "-XX:+UseSerialGC", "-cp", dir,
		"-XX:StartFlightRecording:settings=profile,jdk.FileRead#threshold=0ms,filename="+path, "TypedEvents")
	return path, jdk
}

// rowsOf are the events of a recording as rows.
func rowsOf(t *testing.T, names string, path string) (rows []map[string]any) {
	t.Helper()
	got := run(t, "", "jfr", "events", names, path)
	if got.code != shell.ExitDone {
		t.Fatalf("exit %d: %s", got.code, got.stderr)
	}
	for line := range strings.Lines(got.stdout) {
		row := map[string]any{}
		in := json.NewDecoder(strings.NewReader(line))
		in.UseNumber()
		if err := in.Decode(&row); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		rows = append(rows, row)
	}
	return rows
}

// TestEventsAsRows makes rows of one recording.
func TestEventsAsRows(t *testing.T) {
	t.Parallel()
	path, jdk := typedRecording(t)
	t.Run("of every type", func(t *testing.T) { rowsOfEveryType(t, path, jdk) })
	t.Run("queries of the docs", func(t *testing.T) { queriesOfTheDocs(t, path) })
	for name, near := range map[string]string{
		"gcphasepaus": "hint: events like it there: jdk.GCPhasePause", "zzzzzzzzzz": "hint: jstall jfr summary ",
	} {
		got := run(t, "", "jfr", "events", name, path)
		if got.code != shell.ExitNothing || !strings.Contains(got.stderr, near) {
			t.Errorf("exit %d, %s", got.code, got.stderr)
		}
	}
}

// rowsOfEveryType holds a row against what the program has set, and all rows against the JDK's own tool.
func rowsOfEveryType(t *testing.T, path string, jdk jvmtest.JDK) {
	rows := rowsOf(t, "Typed", path)
	if len(rows) != 1 {
		t.Fatalf("%d rows", len(rows))
	}
	number := func(s string) json.Number { return json.Number(s) }
	for column, want := range map[string]any{
		"event": "shop.Typed", "flag": true, "small": number("-5"), "letter": "ä", "medium": number("-300"),
		"whole": number("-70000"), "large": number("9223372036854775807"), "half": number("0.5"),
		"third": number("0.25"), "none": nil, "plain": "plain", "latin": "café", "wide": "€ 😀 \"quoted\"\n",
		"nothing": nil, "empty": "", "many": strings.Repeat("x", 200), "type": "java.lang.String[]",
		"thread.javaName": "main", "eventThread.javaName": "main", "took": number("7000000"), "unset": nil,
		"minute": number("60000000000"), "micros": number("3000"), "at": "2023-11-14T22:13:20.123000000Z",
		"bytes": number("1048576"), "share": number("0.125"), "rate": number("50"), "address": "0xfee1dead",
		"unsigned": number("4294967295"),
	} {
		if is, has := rows[0][column]; !has || is != want {
			t.Errorf("%s is %#v (there: %v), want %#v", column, is, has, want)
		}
	}
	counted := map[string]int{}
	all := rowsOf(t, "*", path)
	for _, row := range all {
		counted[row["event"].(string)]++
	}
	sameAsTheJDK(t, jdk, path, all)
	told := map[string]int{}
	for _, line := range summaryLine.FindAllStringSubmatch(command(t, jdk.Tool("jfr"), "summary", path), -1) {
		if n := int(wholeNumber(t, line[2])); n > 0 && line[1] != "jdk.Metadata" &&
			!strings.EqualFold(line[1], "jdk.CheckPoint") {
			told[line[1]] = n
		}
	}
	if len(told) < 50 || !maps.Equal(counted, told) {
		t.Errorf("rows %v\nthe JDK's jfr counts %v", counted, told)
	}
	schema := run(t, "", "jfr", "events", "--schema", "Typed", path)
	for _, want := range []string{"All Types. One field of each type", "took", "integer", "ns", "Took"} {
		if !strings.Contains(schema.stdout, want) {
			t.Errorf("no %q in the schema:\n%s", want, schema.stdout)
		}
	}
}

func wholeNumber(t *testing.T, s string) int64 {
	t.Helper()
	n, err := json.Number(s).Int64()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// runQueries runs statements in DuckDB, and prints the rows of each as a line of JSON.
const runQueries = `
import duckdb, json, sys
for statement in json.load(sys.stdin):
    cursor = duckdb.execute(statement)
    names = [c[0] for c in cursor.description]
    print(json.dumps([dict(zip(names, row)) for row in cursor.fetchall()], default=str))
`

// queriesOfTheDocs runs the queries of docs/jfr-events.md in DuckDB, on events written as the page says.
func queriesOfTheDocs(t *testing.T, path string) {
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	python := func(dir string, args ...string) *exec.Cmd {
		cmd := exec.Command("python3", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PYTHONPATH="+filepath.Join(home, ".cache", "jstall", "python"))
		return cmd
	}
	if err := python("", "-c", "import duckdb").Run(); err != nil {
		jvmtest.Lack(t, "no DuckDB for Python: scripts/setup.sh test installs it")
	}
	dir := filepath.Dir(path)
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "jfr-events.md"))
	if err != nil {
		t.Fatal(err)
	}
	write := textBetween(t, string(page), "```text\n$ jstall ", "\n")
	args := strings.Fields(strings.ReplaceAll(strings.ReplaceAll(write, "app.jfr", path), "app.ndjson",
		filepath.Join(dir, "app.ndjson")))
	if got := run(t, "", args...); got.code != shell.ExitDone {
		t.Fatalf("%v: %s", args, got.stderr)
	}
	var statements []string
	for _, block := range strings.Split(string(page), "```sql\n")[1:] {
		statement, _, _ := strings.Cut(block, "```")
		statements = append(statements, statement)
	}
	asked, err := json.Marshal(statements)
	if err != nil {
		t.Fatal(err)
	}
	cmd := python(dir, "-c", runQueries)
	cmd.Stdin = strings.NewReader(string(asked))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	answers := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(answers) != 5 {
		t.Fatalf("%d answers:\n%s", len(answers), out)
	}
	samples, pauses := 0, int64(0)
	for _, row := range rowsOf(t, "jdk.*", path) {
		switch row["event"] {
		case "jdk.ExecutionSample":
			samples++
		case "jdk.GCPhasePause":
			pauses += wholeNumber(t, row["duration"].(json.Number).String())
		}
	}
	holds(t, answers[0], "samples", float64(samples))
	holds(t, answers[1], "paused_ns", float64(pauses))
	for i, want := range []string{"byte[]", "java.lang.Object", ".txt"} {
		if !strings.Contains(answers[2+i], want) {
			t.Errorf("no %q in the answer of query %d: %.500s", want, 3+i, answers[2+i])
		}
	}
}

// textBetween is the part of a text between two others.
func textBetween(t *testing.T, text, from, to string) string {
	t.Helper()
	_, rest, _ := strings.Cut(text, from)
	found, _, ok := strings.Cut(rest, to)
	if !ok {
		t.Fatalf("nothing between %q and %q", from, to)
	}
	return found
}

// holds adds the numbers in a column of an answer up.
func holds(t *testing.T, answer, column string, want float64) {
	t.Helper()
	var rows []map[string]any
	if err := json.Unmarshal([]byte(answer), &rows); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	sum := 0.0
	for _, row := range rows {
		n, _ := row[column].(float64)
		sum += n
	}
	if sum != want || want == 0 {
		t.Errorf("%s are %v, want %v: %.500s", column, sum, want, answer)
	}
}
