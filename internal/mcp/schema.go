package mcp

import (
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
)

// argument describes one argument in the schema of a tool, in addition to its type.
type argument struct {
	words string
	// least and most bound a number.
	least, most float64
	// usual is the default of a number, 0 without a default.
	usual int
	// choices are the possible values of a text; the first is the default.
	choices []any
}

// arguments are the arguments of all tools. An argument means the same in each tool.
func arguments() map[string]argument {
	return map[string]argument{
		"target": {words: "a running JVM: its pid, or a part of its main class or jar name"},
		"files": {words: "instead of target: files in the server's folder with thread dumps of one JVM, one " +
			"recording, or one core file"},
		"jvm":         {words: "of a recording with several JVMs: the pid of one", least: 1, most: 1 << 31},
		"max_tokens":  {words: "most tokens of an answer", least: leastTokens, most: mostTokens, usual: usualTokens},
		"offset":      {words: "show the whole report by pages, from this line on; 0 is the first", most: 10_000_000},
		"fresh":       {words: "take a new capture even if there is one of the last minute"},
		"count":       {words: "how many thread dumps are taken of a running JVM", least: 1, most: 20, usual: 3},
		"interval_ms": {words: "milliseconds from one dump to the next", least: 50, most: 10_000, usual: 1000},
		"thread": {words: "only threads whose name matches this regular expression, or the one with this native id " +
			"(decimal, or hex with 0x)"},
		"top":              {words: "the most rows shown", least: 1, most: 5000},
		"depth":            {words: "the most frames of a stack; all of them by default", least: 1, most: 1000},
		"duration_seconds": {words: "how long a running JVM is sampled", least: 1, most: 60, usual: 10},
		"profile_seconds":  {words: "also sample for a profile for so long; not by default", most: 60},
		"show": {words: "tree: which thread waits for which; waiting: what groups of threads wait for",
			choices: []any{"tree", "waiting"}},
		"engine": {words: "perf: samples of the kernel; dumps: thread dumps; auto: perf where it is allowed, else " +
			"the flight recorder from JDK 25 on, else dumps", choices: []any{"auto", "perf", "dumps"}},
		"weight": {words: "cpu: where CPU time goes; wall: where time goes, waits included",
			choices: []any{"cpu", "wall"}},
		"method":    {words: "show callers and callees of the methods that match this regular expression"},
		"by_thread": {words: "one table per thread"},
		"good":      {words: "the capture to compare with"},
		"bad":       {words: "the capture in question"},
		"file": {words: "the name of the new file in the server's folder, with .zip; a name with pid and time by " +
			"default"},
		"filter": {words: "only JVMs and files with this text in their name"},
	}
}

const (
	// longestText bounds each text of a call, in characters, longestPath each file.
	longestText, longestPath = 500, 4096
	// mostNames bounds how many files a call names.
	mostNames = 100
)

// schemaOf is the schema of a tool's arguments.
func schemaOf[In any]() (*jsonschema.Schema, error) {
	s, err := jsonschema.For[In](nil)
	if err == nil {
		err = describe(s)
	}
	if err != nil {
		return nil, fmt.Errorf("schema of %T: %w", *new(In), err)
	}
	return s, nil
}

// describe adds the description of each argument to the properties of a schema.
func describe(s *jsonschema.Schema) error {
	for name, p := range s.Properties {
		a, ok := arguments()[name]
		if !ok {
			return fmt.Errorf("no words for the argument %s", name)
		}
		p.Description = a.words
		switch {
		case a.most > 0:
			p.Type, p.Types = "integer", nil // no null either
			p.Minimum, p.Maximum = &a.least, &a.most
			if a.usual > 0 {
				p.Default = json.RawMessage(fmt.Sprint(a.usual))
			}
		case a.choices != nil:
			p.Enum, p.Default = a.choices, json.RawMessage(fmt.Sprintf("%q", a.choices[0]))
		case p.Items != nil:
			p.Type, p.Types = "array", nil
			p.MaxItems, p.Items.MaxLength = jsonschema.Ptr(mostNames), jsonschema.Ptr(longestPath)
		case p.Type == "string":
			p.MaxLength = jsonschema.Ptr(longestText)
		}
		if err := describe(p); err != nil {
			return err
		}
	}
	return nil
}
