package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
)

// candidate is a possible completion of a word, and the description that a shell may show next to it.
type candidate struct{ word, about string }

// filesToo asks the script for file names; no other candidate has its form.
var filesToo = candidate{word: filesWord}

// describedWidth is how many characters of a description a shell gets.
const describedWidth = 60

// offer prints one candidate a line, with its description after a tab.
func offer(env *shell.Env, candidates []candidate) error {
	for _, c := range candidates {
		line := c.word
		if about := described(c.about); about != "" {
			line += "\t" + about
		}
		if _, err := fmt.Fprintln(env.Stdout, line); err != nil {
			return err
		}
	}
	return nil
}

// described makes a description harmless for shells and terminals, and cuts a long one to its first clause. The text
// may be of other users: the main class of a process.
func described(text string) string {
	text = strings.Map(func(r rune) rune {
		if r != ' ' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(".,:_$/@+-()|=", r) {
			return -1
		}
		return r
	}, strings.ReplaceAll(text, ";", ","))
	if runes := []rune(text); len(runes) > describedWidth {
		text = string(runes[:describedWidth])
		at := strings.LastIndexAny(text, ",(:")
		if at < describedWidth/3 {
			at = strings.LastIndexByte(text, ' ')
		}
		if at > 0 {
			text = text[:at]
		}
	}
	return strings.TrimSpace(text)
}

// plain returns candidates without descriptions, each with the prefix.
func plain(prefix string, words ...string) []candidate {
	out := make([]candidate, len(words))
	for i, word := range words {
		out[i] = candidate{word: prefix + word}
	}
	return out
}

func commandNames(commands []*cli.Command) []candidate {
	names := []candidate{{"help", "show the help of a command"}}
	for _, c := range commands {
		if !c.Hidden {
			names = append(names, candidate{c.Name, c.Usage})
		}
	}
	return names
}

// flagsOf are the flags of a command, by their first names.
func flagsOf(c *cli.Command) []candidate {
	flags := []candidate{{"--version", "print version and commit"}}
	for _, f := range c.VisibleFlags() {
		_, text := flagHelp(f)
		flags = append(flags, candidate{shell.Dashed(f.Names()[0]), text})
	}
	return flags
}

// targetNames are the pids and names of the running JVMs, as far as they can be typed.
func targetNames(ctx context.Context, env *shell.Env) []candidate {
	_, rows, err := session.ListRows(ctx, env, nil, 0)
	if err != nil {
		return nil
	}
	names := []candidate{{"all", "all running JVMs"}}
	for _, row := range rows {
		pid := strconv.Itoa(row.PID)
		names = append(names, candidate{pid, row.MainClass})
		known := slices.ContainsFunc(names, func(c candidate) bool { return c.word == row.MainClass })
		if !known && typable().MatchString(row.MainClass) {
			names = append(names, candidate{row.MainClass, "pid " + pid})
		}
	}
	return names
}

// diagnosticCommands are those of HotSpot that help a diagnosis. The table is fixed, so that Tab sends no request to a
// JVM.
func diagnosticCommands() []candidate {
	return []candidate{
		{"help", "the commands that this JVM has"},
		{"Thread.print", "a thread dump, -l with owned j.u.c. locks"},
		{"Thread.dump_to_file", "all threads, also virtual ones, into a file (JDK 21)"},
		{"VM.version", "the version of the JVM"},
		{"VM.uptime", "seconds since the start"},
		{"VM.command_line", "the arguments of the JVM"},
		{"VM.flags", "the flags of the JVM, -all for all of them"},
		{"VM.system_properties", "the Java system properties"},
		{"VM.info", "what an hs_err file has, of the living JVM"},
		{"VM.log", "list or change the unified logging"},
		{"VM.events", "the JVM's last events"},
		{"VM.metaspace", "the memory of classes"},
		{"VM.native_memory", "summary, with -XX:NativeMemoryTracking"},
		{"VM.classloader_stats", "class loaders and their classes"},
		{"VM.classloaders", "the tree of class loaders"},
		{"VM.stringtable", "statistics of the string table"},
		{"VM.symboltable", "statistics of the symbol table"},
		{"VM.systemdictionary", "statistics of the dictionaries of classes"},
		{"GC.heap_info", "heap use by part"},
		{"GC.class_histogram", "objects by class, pauses for a full collection"},
		{"GC.heap_dump", "the heap into a file, pauses for all of it"},
		{"GC.run", "System.gc()"},
		{"GC.finalizer_info", "the queue of finalizers"},
		{"Compiler.queue", "methods that wait for the compilers"},
		{"Compiler.codecache", "the code cache and its limits"},
		{"Compiler.codelist", "the compiled methods"},
		{"Compiler.perfmap", "a map of compiled code for perf (JDK 17)"},
		{"System.map", "the mappings of the process (JDK 24)"},
		{"System.native_heap_info", "statistics of the C heap (JDK 23)"},
		{"JFR.start", "start a flight recording"},
		{"JFR.check", "the running flight recordings"},
		{"JFR.dump", "write a flight recording to a file"},
		{"JFR.stop", "end a flight recording"},
		{"JFR.view", "a table of a running recording (JDK 21)"},
		{"PerfCounter.print", "the performance counters"},
		{"ManagementAgent.status", "whether remote JMX is on"},
	}
}
