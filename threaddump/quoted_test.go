package threaddump

import (
	"errors"
	"strings"
	"testing"
)

const quotedFrames = "java.base@21/java.lang.Object.wait0(Native Method)\n" +
	"\tjava.base@21/java.lang.Object.wait(Object.java:366)\n" +
	"\tapp//com.acme.radar.Store.load(Store.java:52)\n" +
	"\tapp//com.hazelcast.map.impl.operation.PutOperation.runInternal(PutOperation.java:54)\n\n"

// quotedLogs are logs with one stack under a message, with what the refusal must have.
var quotedLogs = map[string][]string{
	"10:00:01,007 [detector] WARN Slow operation detected: PutOperation\n" + quotedFrames + "10:00:02,100 INFO on\n": {
		`under "10:00:01,007 [detector] WARN Slow operation detected: PutOperation"`,
		"at app//com.acme.radar.Store.load(Store.java:52)"},
	"10:00:01,007 WARN (Reaper) Action 9e completed with multiple threads - thread task-3 was in progress with " +
		quotedFrames: {"thread task-3 was in progress with", "Store.java:52"},
	"10:00:01,007 ERROR LEAK: ByteBuf.release() was not called\nRecent access records: \n#1:\n" + quotedFrames: {
		"LEAK: ByteBuf.release() was not called: #1:", "Store.java:52"},
	"10:00:01,007 INFO Closing a connection for you: com.acme.Link@1: java.lang.Throwable: STACKTRACE\n" +
		"\tat com.acme.barn.Pool.take(Pool.java:8)\n\tat com.acme.barn.Barn.sell(Barn.java:9)\n": {
		"Closing a connection for you: com.acme.Link@1", "Pool.java:8"},
	"10:00:01,007 WARN slow\n\tio.netty.buffer.Buf.read(Buf.java:8)\n" +
		"\tcom.acme.wire.Decoder.get(Decoder.java:9)\n": {
		"at io.netty.buffer.Buf.read(Buf.java:8), called from com.acme.wire.Decoder.get(Decoder.java:9)"},
}

func TestLogsThatQuoteOneStackAreRefusedWithItsMessage(t *testing.T) {
	for text, words := range quotedLogs {
		for wrapper, wrap := range logWrappers {
			log := wrap("10:00:00,001 [main] INFO started\n" + text)
			dumps, err := Parse([]byte(log))
			foreign := (*ForeignError)(nil)
			if len(dumps) > 0 || !errors.As(err, &foreign) {
				t.Errorf("%s: %.99q: %d dumps, %v", wrapper, text, len(dumps), err)
				continue
			}
			for _, word := range words {
				if !strings.Contains(foreign.What, word) {
					t.Errorf("%s: %.99q: %q lacks %q", wrapper, text, foreign.What, word)
				}
			}
		}
	}
}

// logWrappers are what is put around each line of a log.
var logWrappers = map[string]func(string) string{
	"as it is": func(log string) string { return log },
	"far down": func(log string) string { return strings.Repeat("10:00:00,000 INFO a line\n", 2000) + log },
	"CR LF":    func(log string) string { return strings.ReplaceAll(log, "\n", "\r\n") },
	"syslog":   prefixed("<12>1 2026-11-03T17:22:52.007Z radar1 radar 4711 - - "),
	"journald": prefixed("Nov 12 08:31:02 mill1 java[812]: "),
	"CRI":      prefixed("2026-11-12T08:14:22.118273645Z stdout F "),
	"docker": func(log string) string {
		return everyLine(log, func(line string) string {
			return `{"log":"` + jsonEscaped(line) + `\n","stream":"stdout"}`
		})
	},
}

func prefixed(prefix string) func(string) string {
	return func(log string) string {
		return everyLine(log, func(line string) string { return prefix + line })
	}
}

func everyLine(log string, do func(string) string) string {
	var b strings.Builder
	for line := range strings.Lines(log) {
		b.WriteString(do(strings.TrimSuffix(line, "\n")) + "\n")
	}
	return b.String()
}

func jsonEscaped(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\t", `\t`).Replace(text)
}

func TestStacksOfExceptionsAreNotQuoted(t *testing.T) {
	_, err := Parse([]byte("10:00:01,007 ERROR request failed after 30000 ms\n" +
		"java.net.SocketTimeoutException: timed out\n" +
		"\tat com.acme.radar.Store.load(Store.java:52)\n\tat com.acme.radar.Store.get(Store.java:40)\n"))
	if foreign := (*ForeignError)(nil); errors.As(err, &foreign) || !errors.Is(err, ErrNoDump) {
		t.Errorf("%v", err)
	}
}
