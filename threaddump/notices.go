package threaddump

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

// notice is a warning of a library with a stack that is not where a thread is now, or with threads that do no work.
// Such a log is no dump; its refusal has the facts of the first warning.
type notice struct {
	// shape finds the warning. Its groups are facts: thread, pool, app.
	shape string
	// what completes "it is". $thread, $pool and $app are replaced; a part in braces is left out if they are unknown.
	what string
	// taken is true if the stack below shows where something was taken from a pool.
	taken bool
	tool  string
}

const (
	leakTool = "return what was taken there in a finally block or with try-with-resources; " +
		"jstall PID shows what the threads of a running JVM do"
	stopTool = "end these threads when the application stops (ServletContextListener.contextDestroyed); " +
		"jstall PID shows what they do"
)

// notices are tried in this order.
var notices = [...]notice{
	{`(?:(?P<pool>[\w.()-]{1,100}) housekeeper\b.{0,200}?)?` +
		`Connection leak detection triggered for .{0,500}? on thread (?P<thread>.{1,200}?), stack trace follows`,
		`HikariCP's report of a possible connection leak{ from $pool}{ by thread $thread}`, true, leakTool},
	{`abandon connection, owner thread: (?P<thread>.{1,200}?), connected at`,
		`Druid's report of an abandoned connection{ of thread $thread}`, true, leakTool},
	{`Connection has been (?:abandoned|marked suspect, possibly abandoned) PooledConnection\[`,
		`Tomcat JDBC's report of an abandoned connection`, true, leakTool},
	{`Pooled object created .{1,80} by the following code (?:was never closed|has not been returned to the pool)`,
		`a report of DBCP or Commons Pool of an object that was not returned`, true, leakTool},
	{`DBCP object created .{1,80} by the following code was never closed`,
		`DBCP's report of a connection that was not returned`, true, leakTool},
	{`Overdue resource check-out stack trace`,
		`c3p0's report of a connection that was not returned in time`, true, leakTool},
	{`Connection leak of io\.agroal\.`, `Agroal's report of a possible connection leak`, false, leakTool},
	{`[Ww]eb application \[(?P<app>.{0,200}?)\] appears to have started a (?:TimerT|t)hread named ` +
		`\[(?P<thread>.{1,200}?)\](?: via the java\.util\.Timer API)? but has failed to stop it`,
		`Tomcat's report of threads that a stopped web application{ [$app]} left: $thread`, false, stopTool},
}

var noticeShapes = sync.OnceValue(func() (shapes []*regexp.Regexp) {
	for _, n := range notices {
		shapes = append(shapes, regexp.MustCompile(n.shape))
	}
	return shapes
})

// noticeOf is what a log with warnings of a library is, nil if it has none that is known.
func noticeOf(head []byte) *ForeignError {
	for i, shape := range noticeShapes() {
		all := shape.FindAllSubmatchIndex(head, -1)
		if len(all) == 0 {
			continue
		}
		what := notices[i].what
		for _, group := range shape.SubexpNames()[1:] {
			what = fill(what, group, groupValues(shape, group, head, all, !notices[i].taken))
		}
		if place, _ := firstOfProgram(bytes.Split(head[all[0][1]:], []byte("\n"))); notices[i].taken && place != "" {
			what += "; it was taken at " + place
		}
		return &ForeignError{what, notices[i].tool}
	}
	return nil
}

// groupValues are the values of a group, without repeats: of the first match, or of up to five.
func groupValues(shape *regexp.Regexp, group string, head []byte, all [][]int, every bool) (values []string) {
	const most = 5
	i := shape.SubexpIndex(group)
	for _, m := range all {
		if m[2*i] < 0 {
			continue
		}
		value := string(head[m[2*i]:m[2*i+1]])
		if group == "pool" && isCutName(head[m[0]:], m[2*i] > 0 && head[m[2*i]-1] == '[') {
			continue
		}
		if group == "thread" {
			value = `"` + value + `"`
		}
		if !every && len(values) == 1 || len(values) == most {
			break
		}
		if len(values) == 0 || values[len(values)-1] != value {
			values = append(values, value)
		}
	}
	return values
}

// isCutName recognises the name of a thread in brackets that Spring Boot's pattern has cut to 15 characters, its
// beginning first: [l-1 housekeeper].
func isCutName(text []byte, bracket bool) bool {
	const width = 15
	return bracket && bytes.IndexByte(text, ']') == width
}

// fill replaces $group in "a report{ of thread $group}" and takes the braces away.
func fill(what, group string, values []string) string {
	before, rest, ok := strings.Cut(what, "$"+group)
	if !ok {
		return what
	}
	open := strings.LastIndexByte(before, '{')
	if open >= 0 && len(values) == 0 {
		_, after, _ := strings.Cut(rest, "}")
		return before[:open] + after
	}
	if open < 0 {
		return before + strings.Join(values, ", ") + rest
	}
	return before[:open] + before[open+1:] + strings.Join(values, ", ") + strings.Replace(rest, "}", "", 1)
}

// notOfProgram begin the classes that are below a program's call for a pooled object.
var notOfProgram = [...]string{"java.", "javax.", "jakarta.", "jdk.", "sun.", "com.sun.", "com.zaxxer.hikari.",
	"com.alibaba.druid.", "org.apache.tomcat.", "org.apache.commons.", "com.mchange.", "io.agroal.",
	"org.springframework.", "org.hibernate.", "org.jooq.", "org.apache.ibatis.", "org.mybatis."}

// firstOfProgram is the first frame of lines that is of no library of the table, empty if there is none. One whose
// class an application's loader has loaded (app//, deployment.shop.war//) is preferred. caller is the first frame below
// it of another package, unless the loader says that the first one is the application's: a library may not be in the
// table.
func firstOfProgram(lines [][]byte) (place, caller string) {
	begun, found, sure := false, Frame{}, false
	for _, line := range lines {
		if !isFrame(line) {
			if begun {
				break
			}
			continue
		}
		begun = true
		var f Frame
		text := string(bytes.TrimPrefix(bytes.TrimSpace(line), []byte("at ")))
		parseFrame(&f, text)
		loader, _, loaded := strings.Cut(text, "//")
		loaded = loaded && !strings.ContainsAny(loader, "@(")
		switch {
		case hasAnyPrefix(f.Class, notOfProgram[:]):
		case place == "", loaded && !sure:
			place, caller, found, sure = f.Text, "", f, loaded
		case caller == "" && !sure && topPackage(f.Class) != topPackage(found.Class):
			caller = f.Text
		}
	}
	return place, caller
}

// topPackage is "com.acme" of "com.acme.barn.Market".
func topPackage(class string) string {
	first, rest, _ := strings.Cut(class, ".")
	second, _, _ := strings.Cut(rest, ".")
	return first + "." + second
}

func hasAnyPrefix(text string, begins []string) bool {
	for _, begin := range begins {
		if strings.HasPrefix(text, begin) {
			return true
		}
	}
	return false
}
