package profile

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/jstall/jstall/internal/javaname"
	"github.com/jstall/jstall/internal/jfr"
	"github.com/jstall/jstall/internal/order"
)

// FirstMethodTimer is the first JDK whose flight recorder counts and times calls (JEP 520).
const FirstMethodTimer = 25

// MethodName names all methods of a class with one name.
type MethodName struct{ Class, Method string }

func (n MethodName) String() string { return n.Class + "." + n.Method }

// MethodCalls are the calls of one method during a time.
type MethodCalls struct {
	MethodName
	Descriptor string
	Calls      int64
	// AtLeast reports that there may have been more.
	AtLeast bool
	// Compiled reports that the method has compiled code, which may not count. It is known only from the JVM's memory.
	Compiled bool
	// Total is the time of all calls, Longest that of the longest call; 0 if unknown.
	Total, Longest time.Duration
}

// MethodTimingSettings are the settings (.jfc) of a recording that counts and times the calls of methods. For the time
// of the recording the JVM instruments these methods.
func MethodTimingSettings(methods []MethodName) string {
	filters := make([]string, len(methods))
	for i, m := range methods {
		filters[i] = m.Class + "::" + m.Method
	}
	var filter bytes.Buffer
	_ = xml.EscapeText(&filter, []byte(strings.Join(filters, ";"))) // a write to memory does not fail
	return `<?xml version="1.0" encoding="UTF-8"?>
<configuration version="2.0" label="jstall" description="calls of methods" provider="jstall">
  <event name="` + methodTiming + `">
    <setting name="enabled">true</setting>
    <setting name="period">everyChunk</setting>
    <setting name="filter">` + filter.String() + `</setting>
  </event>
</configuration>
`
}

const methodTiming = "jdk.MethodTiming"

// maxTimings bounds the readings of a recording: there are two of each method in each chunk.
const maxTimings = 1 << 20

// timing is one reading of a method's counter. The counter starts with the first recording whose filter has the method.
type timing struct {
	at, calls      int64
	total, longest time.Duration
}

// timedMethod is a method of one class. The JVM never changes the number of a method.
type timedMethod struct {
	key              uint64
	name, descriptor string
	class            string
}

// ReadMethodTiming reads a recording with [MethodTimingSettings]. It returns the calls between the first and the last
// reading of the counters, and the time between these. Methods of other recordings' filters are left out. Methods
// without code (native, abstract) and methods of classes that were not loaded have no entry.
func ReadMethodTiming(in io.Reader, wanted []MethodName) (calls []MethodCalls, length time.Duration, err error) {
	r := &timingReader{first: map[timedMethod]timing{}, last: map[timedMethod]timing{}, begin: math.MaxInt64}
	file := jfr.NewReader(in)
	for {
		chunk, err := file.Next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = file.Fail(chunk.Events(func(t *jfr.Type) bool { return t.Name == methodTiming }, r.event(chunk)))
		}
		if err != nil {
			return nil, 0, err
		}
	}
	for m, last := range r.last {
		first := r.first[m]
		if first.at > r.begin { // it was loaded meanwhile
			first = timing{}
		}
		name := MethodName{m.class, m.name}
		if !slices.Contains(wanted, name) {
			continue
		}
		calls = append(calls, MethodCalls{
			MethodName: name, Descriptor: m.descriptor, Calls: max(0, last.calls-first.calls),
			Total: max(0, last.total-first.total), Longest: last.longest,
		})
	}
	order.Sort(calls, func(a, b MethodCalls) int {
		return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Method, b.Method),
			cmp.Compare(a.Descriptor, b.Descriptor))
	})
	return calls, time.Duration(max(0, r.end-r.begin)), nil
}

// timingReader keeps the first and the last reading of each method.
type timingReader struct {
	first, last map[timedMethod]timing
	begin, end  int64 // in nanoseconds since 1970
}

// event returns the function that reads one reading of a counter.
func (r *timingReader) event(c *jfr.Chunk) func(t *jfr.Type, in *jfr.Decoder) error {
	return func(t *jfr.Type, in *jfr.Decoder) error {
		e := c.Event(t, in)
		if in.Err != nil {
			return in.Err
		}
		key, _ := e.Member("method").Key()
		method := e.Member("method")
		text := func(v jfr.Value) string { return v.Member("string").Text() }
		m := timedMethod{
			key: key, name: text(method.Member("name")), descriptor: text(method.Member("descriptor")),
			class: javaname.Dotted(text(method.Member("type").Member("name"))),
		}
		now := timing{at: c.Time(e.Member("startTime").Bits()), calls: max(0, e.Member("invocations").Int())}
		average := c.Nanos(e.Member("average").Bits())
		now.total = time.Duration(min(float64(average)*float64(now.calls), 1<<62))
		now.longest = time.Duration(c.Nanos(e.Member("maximum").Bits()))
		if len(r.last) > maxTimings {
			return fmt.Errorf("%w: more than %d timed methods", jfr.ErrForged, maxTimings)
		}
		r.begin, r.end = min(r.begin, now.at), max(r.end, now.at)
		if was, known := r.first[m]; !known || now.at < was.at {
			r.first[m] = now
		}
		if was, known := r.last[m]; !known || now.at >= was.at {
			r.last[m] = now
		}
		return nil
	}
}
