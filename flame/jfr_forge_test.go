package flame

import (
	"bytes"
	"testing"

	"github.com/jstall/jstall/internal/jfr"
	"github.com/jstall/jstall/internal/jfr/jfrtest"
)

// Numbers of forgedClasses.
const (
	forgedStack  = 10
	forgedMethod = 12
	forgedOwner  = 13
	forgedSymbol = 14
	forgedThread = 15
	forgedByte   = 16
	forgedSample = 20
	forgedNative = 21
	forgedOnCPU  = 22
	forgedInTLAB = 23
	forgedAlloc  = 24
	forgedChoice = 25
)

// forgedClasses are what samples need, and settings.
func forgedClasses() []jfrtest.Class {
	sampled := func(id int, name string, more ...jfrtest.Field) jfrtest.Class {
		return jfrtest.Class{ID: id, Name: name, Fields: append([]jfrtest.Field{
			{Name: "startTime", Class: 1}, {Name: "sampledThread", Class: forgedThread, Pooled: true},
			{Name: "stackTrace", Class: forgedStack, Pooled: true},
		}, more...)}
	}
	return []jfrtest.Class{
		{
			ID: 1, Name: "long",
		}, {ID: 2, Name: "int"}, {ID: 3, Name: jfr.NameOfText}, {ID: 4, Name: "boolean"}, {ID: 5, Name: "byte"},
		{
			ID: forgedStack, Name: jfr.NameOfStack,
			Fields: []jfrtest.Field{{Name: "truncated", Class: 4}, {Name: "frames", Class: 11, Array: true}},
		},
		{
			ID: 11, Name: "jdk.types.StackFrame",
			Fields: []jfrtest.Field{
				{Name: "method", Class: forgedMethod, Pooled: true}, {Name: "lineNumber", Class: 2},
			},
		},
		{
			ID: forgedMethod, Name: jfr.NameOfMethod,
			Fields: []jfrtest.Field{
				{Name: "type", Class: forgedOwner, Pooled: true}, {Name: "name", Class: forgedSymbol, Pooled: true},
			},
		},
		{
			ID: forgedOwner, Name: jfr.NameOfClass,
			Fields: []jfrtest.Field{{Name: "name", Class: forgedSymbol, Pooled: true}},
		},
		{ID: forgedSymbol, Name: jfr.NameOfSymbol, Fields: []jfrtest.Field{{Name: "string", Class: 3}}},
		{ID: forgedThread, Name: jfr.NameOfThread, Fields: []jfrtest.Field{{Name: "javaName", Class: 3}}},
		{ID: forgedByte, Name: "a.Byte", Fields: []jfrtest.Field{{Name: "b", Class: 5}}},
		sampled(forgedSample, executionSample), sampled(forgedNative, nativeSample),
		sampled(forgedOnCPU, cpuTimeSample, jfrtest.Field{Name: "samplingPeriod", Class: 1},
			jfrtest.Field{Name: "biased", Class: 1}),
		sampled(forgedInTLAB, allocInTLAB, jfrtest.Field{Name: "tlabSize", Class: 1}),
		sampled(forgedAlloc, allocSample, jfrtest.Field{Name: "weight", Class: 1}),
		{
			ID: forgedChoice, Name: activeSetting,
			Fields: []jfrtest.Field{{Name: "id", Class: 1}, {Name: "name", Class: 3}, {Name: "value", Class: 3}},
		},
	}
}

// forgedSetting sets something of a kind of event.
func forgedSetting(kind uint64, name, value string) []byte {
	b := jfrtest.Numbers(forgedChoice, kind)
	return jfrtest.Sized(append(append(b, jfrtest.Text(name)...), jfrtest.Text(value)...))
}

// forgedPools have thread 1, "main", and stack 1 of one frame, the method A.a.
func forgedPools() []byte {
	symbols := append(append(jfrtest.Numbers(forgedSymbol, 2, 1), jfrtest.Text("A")...), 2)
	return jfrtest.Place(
		append(symbols, jfrtest.Text("a")...),
		jfrtest.Numbers(forgedOwner, 1, 1, 1), jfrtest.Numbers(forgedMethod, 1, 1, 1, 2),
		jfrtest.Numbers(forgedStack, 1, 1, 0, 1, 1, 7),
		append(jfrtest.Numbers(forgedThread, 1, 1), jfrtest.Text("main")...),
	)
}

// readForged reads what is forged well.
func readForged(t *testing.T, event Event, o Options, chunks ...[]byte) map[string][]int64 {
	t.Helper()
	p, err := ReadJFR(bytes.NewReader(bytes.Join(chunks, nil)), event, o)
	if err != nil {
		t.Fatal(err)
	}
	return valuesOf(p)
}
