package mcp

import (
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
)

// argument describes one argument in the schema of a tool, in addition to its type.
type argument struct {
	words string
	// least and most bound a number; whole is a number without a largest value.
	least, most float64
	whole       bool
	// usual is the default of a number, 0 without a default.
	usual int
	// choices are the possible values of a text; the first is the default.
	choices []any
}

// arguments are the arguments of all tools. An argument means the same in each tool. All tools together are sent to a
// model before its first question, so the words are few.
func arguments() map[string]argument {
	return map[string]argument{
		"target":      {words: "running JVM: pid, or part of main class or jar name"},
		"files":       {words: "or files in the folder: dumps of one JVM, a recording, a core file"},
		"jvm":         {words: "pid in a recording of several JVMs", least: 1, whole: true},
		"max_tokens":  {words: "size of the answer", least: leastTokens, most: mostTokens, usual: usualTokens},
		"offset":      {words: "all by pages, from this line", whole: true},
		"fresh":       {words: "new capture, not of the last minute"},
		"count":       {words: "thread dumps to take", least: 1, most: 20, usual: 3},
		"interval_ms": {words: "time between them", least: 50, most: 10_000, usual: 1000},
		"thread":      {words: "regular expression over names, or native id"},
		"top":         {words: "most rows", least: 1, most: 5000},
		"depth":       {words: "most frames of a stack", least: 1, most: 1000},

		"duration_seconds": {words: "time to sample a JVM", least: 1, most: 60, usual: 10},
		"profile_seconds":  {words: "also take a profile of so long", most: 60},
		"show": {words: "tree: which thread waits for which; waiting: what groups wait for",
			choices: []any{"tree", "waiting"}},
		"engine": {words: "perf: samples of the kernel; dumps: thread dumps; auto: perf where allowed",
			choices: []any{"auto", "perf", "dumps"}},
		"weight":    {words: "cpu: CPU time; wall: all time, waits included", choices: []any{"cpu", "wall"}},
		"method":    {words: "callers and callees of methods that match this regular expression"},
		"by_thread": {words: "one table per thread"},
		"part": {words: "heap: use, change, GCs; loaders: class loaders; histogram: objects by class, dead ones too",
			choices: []any{"heap", "metaspace", "loaders", "histogram"}},
		"package": {words: "list the classes whose names begin so: com.acme"},
		"unused":  {words: "list loaded classes that were never initialised"},
		"methods": {words: "as unused, and methods never called"},
		"view":    {words: "name of a view, such as gc-pauses or hot-methods"},
		"query": {words: "SELECT … FROM event WHERE … GROUP BY … ORDER BY … LIMIT n, such as SELECT * FROM " +
			"GCPhasePause LIMIT 5"},
		"good":   {words: "capture to compare with: target, or files and jvm"},
		"bad":    {words: "capture in question"},
		"file":   {words: "name of the new .zip file"},
		"filter": {words: "text in the name"},
	}
}

// schemaOf is the schema of a tool's arguments.
func schemaOf[In any]() (*jsonschema.Schema, error) {
	s, err := jsonschema.For[In](nil)
	if err == nil {
		err = describe(s, true)
	}
	if err != nil {
		return nil, fmt.Errorf("schema of %T: %w", *new(In), err)
	}
	return s, nil
}

// describe adds the description of each argument to the properties of a schema. Arguments in arguments, which compare
// has, have the words of the outer ones.
func describe(s *jsonschema.Schema, outer bool) error {
	for name, p := range s.Properties {
		a, ok := arguments()[name]
		if !ok {
			return fmt.Errorf("no words for the argument %s", name)
		}
		if outer {
			p.Description = a.words
		}
		switch {
		case a.most > 0 || a.whole:
			p.Type, p.Types = "integer", nil // no null either
			p.Minimum = &a.least
			if a.most > 0 {
				p.Maximum = &a.most
			}
			if a.usual > 0 {
				p.Default = json.RawMessage(fmt.Sprint(a.usual))
			}
		case a.choices != nil:
			p.Enum, p.Default = a.choices, json.RawMessage(fmt.Sprintf("%q", a.choices[0]))
		case p.Items != nil:
			p.Type, p.Types = "array", nil
		}
		if err := describe(p, false); err != nil {
			return err
		}
	}
	return nil
}
