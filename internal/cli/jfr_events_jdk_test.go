package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/jvmtest"
)

// sameAsTheJDK holds all rows of a recording, in any order, against what the JDK's own tool prints of each field.
func sameAsTheJDK(t *testing.T, jdk jvmtest.JDK, path string, rows []map[string]any) {
	t.Helper()
	var printed struct {
		Recording struct {
			Events []struct {
				Type   string
				Values map[string]any
			}
		}
	}
	in := json.NewDecoder(strings.NewReader(command(t, jdk.Tool("jfr"), "print", "--json", "--stack-depth", "3000",
		path)))
	in.UseNumber()
	if err := in.Decode(&printed); err != nil {
		t.Fatal(err)
	}
	balance := map[string]int{}
	for _, e := range printed.Recording.Events {
		row := map[string]any{"event": e.Type}
		for name, v := range e.Values {
			flatten(t, row, name, v)
		}
		if row["unsigned"] == json.Number("-1") { // of JDK 17
			row["unsigned"] = json.Number("4294967295")
		}
		balance[canonical(t, row)]++
	}
	for _, row := range rows {
		balance[canonical(t, row)]--
	}
	differ := slices.DeleteFunc(slices.Sorted(maps.Keys(balance)), func(row string) bool { return balance[row] == 0 })
	if len(differ) > 0 || len(rows) < 1000 {
		t.Errorf("%d rows, %d events of the JDK's tool, %d differ:", len(rows), len(printed.Recording.Events),
			len(differ))
	}
	for _, row := range differ[:min(10, len(differ))] {
		t.Errorf("%+d %.900s", balance[row], row)
	}
}

// flatten makes columns of a value as the JDK's tool prints it.
func flatten(t *testing.T, row map[string]any, name string, v any) {
	t.Helper()
	switch v := v.(type) {
	case map[string]any:
		flattenObject(t, row, name, v)
	case string:
		row[name] = printedText(t, v)
	default:
		row[name] = v
	}
}

func flattenObject(t *testing.T, row map[string]any, name string, v map[string]any) {
	t.Helper()
	switch shape := strings.Join(slices.Sorted(maps.Keys(v)), " "); {
	case shape == "frames truncated":
		frames := []any{}
		for _, f := range v["frames"].([]any) {
			frames = append(frames, printedFrame(f.(map[string]any)))
		}
		row[name+".frames"], row[name+".truncated"], row[name+".top"] = frames, v["truncated"], nil
		if len(frames) > 0 {
			row[name+".top"] = frames[0]
		}
	case strings.HasPrefix(shape, "classLoader ") && strings.Contains(shape, " modifiers name"):
		row[name] = printedClass(v)
	case strings.Contains(shape, "descriptor "):
		row[name], row[name+".descriptor"] = printedMethod(v), v["descriptor"]
	case shape == "name type":
		row[name] = v["name"]
		if v["name"] == nil {
			row[name] = printedClass(v["type"])
		}
	case shape == "name parent":
		row[name] = v["name"]
	default:
		for inner, value := range v {
			if len(v) == 1 {
				flatten(t, row, name, value)
			} else {
				flatten(t, row, name+"."+inner, value)
			}
		}
	}
}

func printedFrame(f map[string]any) string {
	text := printedMethod(f["method"].(map[string]any))
	if line := f["lineNumber"].(json.Number).String(); line != "0" && line[0] != '-' {
		text += ":" + line
	}
	return text
}

func printedMethod(v map[string]any) string {
	if of, ok := printedClass(v["type"]).(string); ok && of != "" {
		return fmt.Sprintf("%s.%s", of, v["name"])
	}
	return fmt.Sprint(v["name"])
}

// hiddenPart is the end of the name of a hidden class.
var hiddenPart = regexp.MustCompile(`^(.*?)(/\d.*|\+0x.*)?$`)

// printedClass is the name of a class of which the JDK's tool prints what the JVM calls it.
func printedClass(v any) any {
	of, ok := v.(map[string]any)
	if !ok || of["name"] == nil {
		return nil
	}
	name := of["name"].(string)
	element := strings.TrimLeft(name, "[")
	dimensions := len(name) - len(element)
	if dimensions > 0 {
		primitive := map[string]string{"Z": "boolean", "B": "byte", "C": "char", "S": "short", "I": "int", "J": "long",
			"F": "float", "D": "double"}[element]
		if primitive == "" {
			primitive = strings.TrimSuffix(strings.TrimPrefix(element, "L"), ";")
		}
		element = primitive
	}
	parts := hiddenPart.FindStringSubmatch(element)
	return strings.ReplaceAll(parts[1], "/", ".") + parts[2] + strings.Repeat("[]", dimensions)
}

var (
	printedSpan = regexp.MustCompile(`^PT(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?\d+)(?:\.(\d+))?S)?$`)
	printedTime = regexp.MustCompile(`^(-?\d+-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:Z|\+00:00)$`)
)

// printedText is a text, a time, a timespan in nanoseconds, or nil for what is none to the JVM.
func printedText(t *testing.T, s string) any {
	t.Helper()
	switch {
	case s == "NaN", s == "Infinity", s == "-Infinity", strings.HasPrefix(s, "PT-2562047788015215H"),
		strings.HasPrefix(s, "-999999999-01-01T"):
		return nil
	case strings.HasPrefix(s, "PT2562047788015215H"):
		return json.Number(strconv.Itoa(math.MaxInt64))
	}
	if printedSpan.MatchString(s) {
		return json.Number(printedNanos(t, s).String())
	}
	if m := printedTime.FindStringSubmatch(s); m != nil {
		return fmt.Sprintf("%s:%s.%sZ", m[1], (m[2] + "00")[:2], (m[3] + "000000000")[:9])
	}
	return s
}

// printedNanos is a timespan in nanoseconds, the largest long for what is longer.
func printedNanos(t *testing.T, s string) *big.Int {
	t.Helper()
	number := func(s string) *big.Int {
		n, ok := new(big.Int).SetString(s, 10)
		if !ok {
			t.Fatalf("no number: %q", s)
		}
		return n
	}
	m := printedSpan.FindStringSubmatch(s)
	sum := new(big.Int)
	for i, nanos := range []int64{3600e9, 60e9, 1e9} {
		if m[1+i] != "" {
			sum.Add(sum, new(big.Int).Mul(number(m[1+i]), big.NewInt(nanos)))
		}
	}
	rest := number((m[4] + "000000000")[:9])
	if strings.Contains(s, "-") {
		rest.Neg(rest)
	}
	sum.Add(sum, rest)
	if longest := big.NewInt(math.MaxInt64); sum.Cmp(longest) > 0 {
		return longest
	}
	return sum
}

var hexadecimal = regexp.MustCompile(`^0x[0-9a-f]+$`)

// canonical is a row as a text, without what is null. An address is a number, as the JDK's tool prints it.
func canonical(t *testing.T, row map[string]any) string {
	t.Helper()
	out := map[string]any{}
	for name, v := range row {
		if s, ok := v.(string); ok && hexadecimal.MatchString(s) {
			n, err := strconv.ParseUint(s[2:], 16, 64)
			if err != nil {
				t.Fatal(err)
			}
			v = json.Number(strconv.FormatUint(n, 10))
		}
		if n, ok := v.(json.Number); ok {
			v = canonicalNumber(t, n)
		}
		if v != nil {
			out[name] = v
		}
	}
	text, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// canonicalNumber has no sign for a whole number: the JDK's tool prints one for longs that have none.
func canonicalNumber(t *testing.T, n json.Number) any {
	t.Helper()
	if whole, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
		return strconv.FormatUint(uint64(whole), 10)
	}
	if _, err := strconv.ParseUint(n.String(), 10, 64); err == nil {
		return n.String()
	}
	v, err := n.Float64()
	if err != nil {
		t.Fatal(err)
	}
	if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return strconv.FormatUint(uint64(int64(v)), 10)
	}
	return v
}
