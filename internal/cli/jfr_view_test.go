package cli

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jfr"
	"github.com/jstall/jstall/internal/jfr/query"
	"github.com/jstall/jstall/internal/jfr/views"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/source/file"
)

// knownToDiffer are views whose rows differ from those of the JDK's tool, and why.
var knownToDiffer = map[string]string{
	"active-settings":         "of 17 the JDK's tool shows one event, with all six settings; we show all events",
	"compiler-configuration":  "of 17 an event lacks a field: the JDK's tool shows nothing, we show the others",
	"container-configuration": "of 17 an event lacks a field: the JDK's tool shows nothing, we show the others",
	"thread-start":            "the JDK's tool fails on recordings of 17",
}

// TestViewsEqualThoseOfTheJDK compares the rows of all views with what the jfr tool of JDK 25 shows of the same file,
// for recordings of 17, 21 and 25.
func TestViewsEqualThoseOfTheJDK(t *testing.T) {
	if os.Getenv("JFR_VIEWS") != "1" {
		t.Skip("four minutes: make jfr-views")
	}
	tool := jvmtest.Find(t, "25").Tool("jfr")
	if tool == "" {
		jvmtest.Lack(t, "JDK 25 has no jfr tool here")
	}
	known, err := views.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range []string{"17", "21", "25"} {
		path := recordedEvents(t, version)
		for _, v := range known {
			t.Run(version+"/"+v.Name, func(t *testing.T) {
				out, err := exec.Command(tool, "view", "--width", "1000", "--cell-height", "1", v.Name,
					path).CombinedOutput()
				if err != nil && knownToDiffer[v.Name] == "" {
					t.Fatalf("%v\n%s", err, out)
				}
				compareView(t, v, path, string(out))
			})
		}
	}
}

// TestViewsOfAFixture compares views with what the jfr tool of JDK 25 has shown of a recording in testdata.
func TestViewsOfAFixture(t *testing.T) {
	folder := filepath.Join("..", "..", "testdata", "flight", "views")
	known, err := views.All()
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, v := range known {
		out, err := os.ReadFile(filepath.Join(folder, v.Name+".txt"))
		if err != nil {
			continue
		}
		compared++
		t.Run(v.Name, func(t *testing.T) {
			compareView(t, v, filepath.Join("..", "..", "testdata", "demo", "shop.jfr.gz"), string(out))
		})
	}
	if compared < 10 {
		t.Errorf("%d views were compared", compared)
	}
}

// recordedEvents is a recording of the program Recorded, JFR_FILE if that is set.
func recordedEvents(t *testing.T, version string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), version+".jfr")
	if file := os.Getenv("JFR_FILE"); file != "" {
		return strings.ReplaceAll(file, "VERSION", version)
	}
	jvmtest.Start(t, jvmtest.Find(t, version), jvmtest.Options{
		Class: "Recorded", Args: []string{"3"},
		JVMArgs: []string{"-XX:StartFlightRecording:settings=profile,filename=" + path},
	}).Wait()
	return path
}

func compareView(t *testing.T, v views.View, path, out string) {
	t.Helper()
	q, err := v.Parse()
	if err != nil {
		t.Fatal(err)
	}
	ours, events := ourView(t, q, path)
	theirs := theirView(out)
	if events == 0 && len(theirs) == 0 {
		return
	}
	if q.Limit > 0 && len(ours) == q.Limit && len(theirs) == q.Limit {
		ours, theirs = withoutTies(ours), withoutTies(theirs)
	}
	if len(theirs) == len(ours) {
		a, b := slices.Clone(ours), slices.Clone(theirs)
		if !sameRows(a, b) {
			slices.Sort(a)
			slices.Sort(b)
		}
		if sameRows(a, b) {
			return
		}
		ours, theirs = a, b
	}
	if why := knownToDiffer[v.Name]; why != "" {
		t.Log(why)
		return
	}
	t.Errorf("%d rows, want %d%s", len(ours), len(theirs), differentRow(ours, theirs))
}

// withoutTies leaves out the rows whose numbers are those of the last one. Which of them the JDK's tool shows depends
// on the order of a hash table.
func withoutTies(rows []string) []string {
	_, last, _ := strings.Cut(rows[len(rows)-1], "|")
	return slices.DeleteFunc(rows, func(row string) bool { return strings.HasSuffix(row, "|"+last) })
}

// sameRows compares rows of which the JDK's tool may have cut cells.
func sameRows(ours, theirs []string) bool {
	return differentRow(ours, theirs) == ""
}

func differentRow(ours, theirs []string) string {
	for i := range min(len(ours), len(theirs)) {
		a, b := strings.Split(ours[i], "|"), strings.Split(theirs[i], "|")
		same := len(a) == len(b)
		for c := 0; same && c < len(a); c++ {
			same = sameCell(a[c], b[c])
		}
		if !same {
			return fmt.Sprintf("\nrow %d is %s\n     want %s", i, ours[i], theirs[i])
		}
	}
	return ""
}

// longestCell is how much of a cell is compared.
const longestCell = 300

func sameCell(ours, theirs string) bool {
	if cut, isCut := strings.CutSuffix(theirs, "..."); isCut {
		return strings.HasPrefix(ours, cut)
	}
	if cut, isCut := strings.CutPrefix(theirs, "..."); isCut {
		return strings.HasSuffix(ours, cut)
	}
	ours = ours[:min(len(ours), longestCell)] // a long cell of theirs goes on in the next line
	theirs = theirs[:min(len(theirs), longestCell)]
	return ours == theirs || isNear(ours, theirs)
}

// isNear reports that two numbers with the same unit have the same first digits: how the JDK's tool rounds, and
// what it takes for a percentile between two values, is not documented.
func isNear(ours, theirs string) bool {
	a, unit, hasUnit := strings.Cut(ours, " ")
	b, same, _ := strings.Cut(theirs, " ")
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return hasUnit && unit == same && errX == nil && errY == nil && math.Abs(x-y) <= thirdDigit*math.Abs(y)
}

// thirdDigit is one in the third digit, of the least number of three digits.
const thirdDigit = 0.0101

// ourView returns the rows of a query, with a bar between the cells. Of each cell it has the first line.
func ourView(t *testing.T, q *query.Query, path string) (rows []string, events int64) {
	t.Helper()
	in, err := file.Open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	run, file := query.NewRun(q), jfr.NewReader(in)
	for {
		chunk, err := file.Next()
		if err != nil {
			break
		}
		if err := run.Chunk(chunk); err != nil {
			t.Fatal(err)
		}
	}
	r := run.Result()
	for _, row := range r.Rows {
		var cells []string
		for i, v := range row {
			first, _, _ := strings.Cut(views.Cell(v, &r.Columns[i], time.Local), "\n")
			cells = append(cells, strings.TrimSpace(first))
		}
		rows = append(rows, strings.Join(cells, "|"))
	}
	return rows, r.Events
}

var ruleLine = regexp.MustCompile(`(?m)^-+( -+)*$`)

// theirView returns the rows that the JDK's tool shows: of a table, or one value per line.
func theirView(out string) (rows []string) {
	lines := strings.Split(out, "\n")
	at := slices.IndexFunc(lines, ruleLine.MatchString)
	if at < 1 {
		return nil
	}
	spans := regexp.MustCompile(`-+`).FindAllStringIndex(lines[at], -1)
	if isForm(lines, at) {
		var cells []string
		for i, line := range lines[at+1:] {
			_, value, found := strings.Cut(line, ": ")
			if found && lines[at+i] == "" { // no further line of a long value
				cells = append(cells, strings.TrimSpace(value))
			}
		}
		return []string{strings.Join(cells, "|")}
	}
	for _, line := range lines[at+1:] {
		if strings.TrimSpace(line) == "" {
			continue
		}
		runes := []rune(line)
		var cells []string
		for _, s := range spans {
			cells = append(cells, strings.TrimSpace(string(runes[min(s[0], len(runes)):min(s[1], len(runes))])))
		}
		rows = append(rows, strings.Join(cells, "|"))
	}
	return rows
}

// isForm recognises a title that is underlined itself.
func isForm(lines []string, at int) bool {
	return len(strings.TrimSpace(lines[at-1])) == len(lines[at]) && at+1 < len(lines) && lines[at+1] == ""
}
