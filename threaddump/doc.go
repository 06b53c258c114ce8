// Package threaddump reads the thread dumps of HotSpot JVMs, JDK 5 to 28: the
// text of jstack, of jcmd Thread.print, of the attach socket and of SIGQUIT, that
// of jhsdb jstack and jstack -F, both files of Thread.dump_to_file, and what tools make of the
// management interface; forms lists them. They may be alone or
// in other text, as in application logs, and may be cut or mixed with other lines. Dumps
// of other runtimes are a ForeignError.
//
// A Reader gives one Dump after the other. Nothing that it reads is an error but
// a failing io.Reader and an input without any dump; what it does not understand
// becomes a Problem of the dump, with the line's number, and costs nothing around
// it.
//
// # The text form
//
// In the order of the dump; the file is HotSpot's that prints the line.
//
//	line                                                       since  printed by
//	2026-11-20 14:59:49                                        8      VMThread, os::print (local time, no zone)
//	Full thread dump OpenJDK 64-Bit Server VM (21.0.13+9 mixed mode, sharing):
//	                                                           8      threads.cpp, Threads::print_on
//	                 JDK version: OpenJDK Runtime … (build …)  21     threads.cpp, Threads::print_on
//	(empty)
//	Threads class SMR info:                                    11     threadSMR.cpp, ThreadsSMRSupport::print_info_on
//	_java_thread_list=0x…, length=41, elements={               11     four addresses to a line, closed by "}"
//	_to_delete_list=0x…, length=10, elements={                 11     at times; threads that are gone
//	(empty)
//	"main" #1 [32474] prio=5 os_prio=0 cpu=… tid=0x… nid=32474 waiting on condition  [0x…]
//	                                                           8      thread.cpp, javaThread.cpp, osThread.cpp: header
//	   java.lang.Thread.State: TIMED_WAITING (sleeping)        8      javaThread.cpp, JavaThread::print_on
//	   Carrying virtual thread #23                             21     threads.cpp, Threads::print_on
//	   No compile task                                         11     compilerThread.cpp; before or after the state
//	   Compiling: 1165       4       a.B::m (39 bytes)         11     compilerThread.cpp, compileTask.cpp
//		at W.zz(W.java:4)                                  8      javaClasses.cpp, print_stack_element
//		- locked <0x…> (a java.lang.Object)                8      vframe.cpp, javaVFrame::print_lock_info_on
//	   Mounted virtual thread #23                              25     javaThread.cpp; its frames and locks follow
//	(empty)
//	   Locked ownable synchronizers:                           8 -l   concurrentLocks, print_locks_on
//		- None    or    - <0x…> (a X)
//	(empty; then the next thread)
//	"VM Thread" os_prio=0 cpu=… tid=0x… nid=32637 runnable     8      thread.cpp: the JVM's own threads, last
//	JNI global refs: 15, weak refs: 0                          8      jniHandles.cpp; 8: "JNI global references: 396"
//	Found one Java-level deadlock:                             8      threadService.cpp; see deadlockReport
//	Java stack information for the threads listed above:       8      the same; repeats the stacks above
//	Found 2 deadlocks.                                         8      the same
//	Heap                                                       8      SIGQUIT only: Universe::print_on
//	Virtual threads of 0x…: 1028 found, 1025 read              21     jstall, from memory; see virtualSection
//
// What differs between JDKs (those of the fixtures: 8u504, 11.0.33, 17.0.21,
// 21.0.13, 25.0.5, 26.0.2, 27.0.1; 28 was looked at, 22 to 24 were not):
//
//	                          8             11         17         21           25, 26    27, 28
//	header's end              ):            ):         ):         )            ) or ):   )
//	SMR list                  no            yes        yes        yes          yes       yes
//	order of Java threads     newest first  oldest first, that of the SMR list
//	cpu= elapsed=             no            yes        yes        yes          yes       yes
//	allocated= (-e)           no            yes        yes        yes          yes       yes
//	after the name            #12           #12        #12        #12 [4711]   = 21      = 21
//	nid=                      0x1267        0x1267     0x1267     4711         4711      4711
//	before [0x…]              one blank, none after "sleeping"; two blanks from 11 on
//	frame's place             (F.java:1)    (java.base@VERSION/F.java:1) for classes of named modules
//	hidden class              L$1/29553     L$1/0x0…   L$1/0x0…   L/0x0…       L/0x0…    L/0x0…
//	compile tasks             no            yes        yes        yes          yes       yes
//	waiting to re-lock        no            on caller  on wait    on wait      on wait   on wait
//	class initialization      no            no         yes        yes          yes       yes
//	carriers                  –             –          –          Carrying     + Mounted + Mounted
//	blank in deadlock list    no            no         yes        yes          yes       yes
//
// # What works, by JDK
//
// Results of make matrix on Linux x86-64; – marks what the JDK lacks.
//
//	                                    8    11 Debian  17 Debian  21 Debian  25 Debian  25 Temurin  26 Debian  28 Debian
//	end of the header                   ):   ):         ):         )          )          ):          )          )
//	line with the JDK's version         –    –          –          yes        yes        –           yes        yes
//	list of Java threads (SMR)          –    yes        yes        yes        yes        yes         yes        yes
//	cpu= and elapsed=                   –    yes        yes        yes        yes        yes         yes        yes
//	allocated= (-e)                     –    yes        yes        yes        yes        yes         yes        yes
//	native id after the Java id         –    –          –          yes        yes        yes         yes        yes
//	nid=                                hex  hex        hex        decimal    decimal    decimal     decimal    decimal
//	owned synchronizers (-l)            yes  yes        yes        yes        yes        yes         yes        yes
//	module in the frame's place         –    yes        yes        yes        yes        yes         yes        yes
//	compile tasks                       –    yes        yes        yes        yes        yes         yes        yes
//	the JVM's own deadlock report       yes  yes        yes        yes        yes        yes         yes        yes
//	class initialisation, awaited       –    –          yes        yes        yes        yes         yes        yes
//	carrier of a virtual thread         –    –          –          yes        yes        yes         yes        yes
//	stack of the carried one            –    –          –          –          yes        yes         yes        yes
//	Thread.dump_to_file, text and JSON  –    –          –          yes        yes        yes         yes        yes
//	states and locks in that JSON       –    –          –          –          yes        yes         yes        yes
//	ids in that JSON                    –    –          –          strings    strings    strings     strings    numbers
//	read without a problem              yes  yes        yes        yes        yes        yes         yes        yes
//
// # Traps
//
//   - A carrier of a virtual thread has no nid=, no state words and no state line;
//     its native id is in the brackets after the Java id.
//   - Names are raw: quotes, line breaks, escapes, modified UTF-8. JDK 8 cuts them
//     at 1,999 bytes with the quote. Headers are read from the right, and the SMR
//     list has those that are real; see text_headers.go.
//   - A thread in Object.wait() holds nothing although "- locked" is below:
//     Locked says what the line says. See LockOp.
//   - "- eliminated <owner is scalar replaced> (a X)" lacks its line break up to 11
//     at least: the next frame is on the same line.
//   - Stacks end after 1,024 frames (MaxJavaStackTraceDepth) without a mark.
//   - JDK 8 may list a thread in a deadlock that waits for it only.
//   - A thread that waits for a class's initialization is RUNNABLE.
//
// # Before 8
//
// Up to JDK 7 headers have no Java id and no os_prio=: a Java thread is recognised by the stack
// address, which the JVM's own threads lack. JDK 5 and 6 up to 10 have a range there
// ([0x74466000..0x74466e38]), Apple's JDK 6 no 0x anywhere. JDK 5 has no lines with states:
// see stateByStack. Such threads are Unnumbered.
//
// # Locales
//
// HotSpot prints with the decimal sign of LC_NUMERIC (cpu=0,15ms, cpu=0٫15ms), Tomcat's date
// has the digits of Java's locale. See internal/number.
//
// # Text that was copied
//
// A Reader makes text plain before it reads it: see internal/plaintext. Lines keep the numbers
// that they have in the input.
//
// # Other forms
//
// jstack -F (up to 8) has native ids, no names, and the state of the JVM's own machine, which
// is BLOCKED for all that wait; see isDebuggerThread. Of a deadlock report that is alone
// the threads are those in it.
//
// jhsdb jstack (11 and newer) stops the process and reads its memory. Its deadlock
// report comes first, headers have no os_prio= and cpu=, frames are
// " - W.zz(long) @bci=1, line=4 (Interpreted frame)", there is no head, no SMR list
// and no trailer, and classes of locks have slashes.
//
// Thread.dump_to_file (21 and newer) writes JSON or plain text, with virtual
// threads and without native ids, CPU times and the JVM's own threads. It is not
// one instant. Locks come with 25, and are named by identity hash; see jsonDump and
// plainDump. From 21 to 24 JSON does not say which threads are virtual, and 25 shows no
// owners of what threads are parked on: 26 does.
//
// The management interface (ThreadMXBean.dumpAllThreads) looks at all Java threads
// in one instant and shows ids, states, stacks, locks by identity hash, and owners by
// id; no native ids and CPU times. VisualVM and Spring Boot's actuator print it as
// text, see beanDump, the actuator as JSON too, see actuatorDump. IntelliJ IDEA's own
// dumps lack ids and what is held, those of its debugger have all, see ideDump. Others
// print ThreadInfo in other ways, see infoForm and the table forms.
//
// Servers that find a thread too long at one task write its stack to their log: see stuckInfo,
// poolInfo and watchdogInfo. JConsole has names alone: see consoleInfo. Stacks that lost their header,
// headers that the edge of a screen cut, and deadlock reports without headings are read as far as
// they prove themselves: see partAnchor and parseCutHeader.
//
// "jfr print --events jdk.ThreadDump" has the text form in a field, with --json in a
// string.
//
// # Around a dump
//
// The line with "Full thread dump" (or, if the beginning is lost, the first header)
// shows what each line is wrapped in: a prefix, whose digits and ids may change from
// line to line; a JSON object, of which one string holds the text, as Docker and log
// shippers write; the container runtimes' own format, which cuts long lines in parts;
// CR LF. Lines that do not fit are read as they are.
package threaddump
