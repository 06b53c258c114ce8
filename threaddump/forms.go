package threaddump

import "bytes"

// form is a kind of dump that is not HotSpot's own text.
type form interface {
	// is recognises the line at which such a dump begins, or goes on.
	is(line []byte) bool
	// read reads the dump whose first line this is; line is nil where a head ("Full
	// thread dump") is above the threads, which d is of. It returns nil if it is not one
	// after all.
	// Dumps that were written together are several.
	read(r *input, d *Dump, line []byte) []*Dump
}

// formRow is a form with what a reader of this file wants to know of it. A new form is a
// file with its parser and a row.
type formRow struct {
	form
	// name is who prints it, sample a line by which it is recognised.
	name, sample string
	// source is the class that prints it.
	source string
	// headed: a head may be above its threads.
	headed bool
	// alone: its first line ends the dump before it, whatever that is of.
	alone bool
}

// forms are all, in the order in which they are tried.
var forms = [...]formRow{
	ideAnchor - firstForm: {form: ideForm{}, name: "IntelliJ IDEA",
		source: "com.intellij.diagnostic.ThreadDumper",
		sample: `"rl-A" prio=0 tid=0x0 nid=0x0 waiting on condition`},
	actuatorAnchor - firstForm: {
		form: actuatorForm{}, name: "Spring Boot's actuator, Spark, Flink, Solr: JSON",
		source: "ThreadDumpEndpoint, ThreadStackTrace, ThreadDumpInfo",
		sample: `{"threads":[{"threadName":"dl-A","threadId":21`,
	},
	jsonAnchor - firstForm: {form: jsonForm{}, name: "Thread.dump_to_file, JSON",
		source: "jdk.internal.vm.ThreadDumper", alone: true,
		sample: `{"threadDump": {`},
	plainAnchor - firstForm: {form: plainForm{}, name: "Thread.dump_to_file, text",
		source: "jdk.internal.vm.ThreadDumper", alone: true,
		sample: `#19 "vt-blocked-0" virtual`},
	beanAnchor - firstForm: {
		form: beanForm{}, name: "VisualVM, Spring Boot's actuator",
		source: "JmxSupport, PlainTextThreadDumpFormatter", headed: true, sample: `"rl-A" - Thread t@23`,
	},
	otherForms - firstForm: {form: quotedInfo,
		name:   "ThreadInfo.toString, Arthas, Karaf, Tomcat, Dropwizard, Jenkins, JavaMelody",
		source: "ThreadInfo, ThreadUtil, ThreadsAction, Diagnostics, ThreadDump", headed: true,
		sample: `"svc-1" prio=5 Id=12 BLOCKED on com.acme.Account@1b2c6ec2 owned by "svc-2" Id=13`},
	{form: hadoopInfo, name: "Hadoop /stacks",
		source: "org.apache.hadoop.util.ReflectionUtils",
		sample: `Thread 61 (IPC Server handler 3 on 9820):`},
	{form: karafInfo, name: "Karaf threads ID",
		source: "org.apache.karaf.shell.commands.impl.ThreadsAction",
		sample: `Thread 25 qtp1-25 WAITING`},
	{form: watchdogInfo, name: "Minecraft servers' watchdogs",
		source: "org.spigotmc.WatchdogThread",
		sample: `[20:04:57 ERROR]: Current Thread: Server thread`},
	{form: stuckInfo, name: "Vert.x, Quarkus, Tomcat, WebLogic, WebSphere: warnings about one thread",
		source: "BlockedThreadChecker, StuckThreadDetectionValve, ThreadMonitorImpl",
		sample: "Thread Thread[vert.x-eventloop-thread-8,5,main] has been blocked for 26065 ms, time limit is 2000 ms"},
	{form: describedInfo, name: "Eclipse's monitor of its user interface",
		source: "org.eclipse.ui.internal.monitoring.DefaultUiFreezeEventLogger",
		sample: "Thread 'main' tid=1 (RUNNABLE)"},
	{form: poolInfo, name: "c3p0, and others that print Thread.toString",
		source: "ThreadPoolAsynchronousRunner",
		sample: "        Thread[C3P0PooledConnectionPoolManager[identityToken->2z]-HelperThread-#0,5,main]"},
	{form: consoleInfo, name: "JConsole's tab of threads",
		source: "sun.tools.jconsole.ThreadTab",
		sample: "Name: pump-1"},
	{
		form: mixedInfo, name: "jstack -m", source: "sun.jvm.hotspot.tools.PStack",
		sample: `----------------- 27941 -----------------`,
	},
	{form: jettyInfo, name: "Jetty's dump",
		source: "org.eclipse.jetty.util.thread.QueuedThreadPool",
		sample: `|     +> qtp1194893830-32 TIMED_WAITING tid=32 prio=5 IDLE`},
}

// formAnchor is the anchor of the first form that a line begins.
func formAnchor(line []byte, signs signs) anchor {
	if !mayBeForm(line, signs) {
		return noAnchor
	}
	for i := range forms {
		if forms[i].is(line) {
			return firstForm + anchor(i)
		}
	}
	return noAnchor
}

// mayBeForm reports at little cost whether a line may be of one of the forms. Most lines of a log may not.
func mayBeForm(line []byte, signs signs) bool {
	return signs&quote != 0 || signs&capitalT != 0 && namesThread(line) ||
		signs&capitalN != 0 && bytes.Contains(line, []byte("Name: ")) ||
		signs&plus != 0 && (bytes.Contains(line, []byte("qtp")) || bytes.Contains(line, []byte(jettyID))) ||
		signs&hyphen != 0 && bytes.Contains(line, []byte("-----------------")) ||
		bytes.Contains(line, []byte(" has been ")) || mayClaim(line)
}

// namesThread recognises "Thread ", "Thread: " and "Thread[" in a line.
func namesThread(line []byte) bool {
	const thread = "Thread"
	for {
		i := bytes.Index(line, []byte(thread))
		if i < 0 || i+len(thread) == len(line) {
			return false
		}
		line = line[i+len(thread):]
		if line[0] == ' ' || line[0] == '[' || bytes.HasPrefix(line, []byte(": ")) {
			return true
		}
	}
}

// startOf is what a line shows of a dump that begins with it.
func startOf(line []byte) start {
	s := start{anchor: anchorIn(line)}
	if s.anchor < firstForm {
		return s
	}
	row := &forms[s.anchor-firstForm]
	s.alone = row.alone
	if f, ok := row.form.(*infoForm); ok {
		s.second = f.second
	}
	return s
}

// formBelow is the form of the threads under a dump's head, nil if it is HotSpot's own.
func (r *input) formBelow() form {
	after := r.mark()
	r.src.keep = after.offset
	defer func() { r.src.keep = -1 }()
	var found form
	for range 3 {
		line, ok := r.lines.next()
		if !ok {
			break
		}
		if len(line) == 0 {
			continue
		}
		for i := range forms {
			if forms[i].headed && forms[i].is(line) {
				found = forms[i].form
				break
			}
		}
		break
	}
	r.rewind(after)
	return found
}
