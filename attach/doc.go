// Package attach speaks HotSpot's attach protocol: it proves that a process may
// be asked, starts its attach listener, sends a command and reads the answer.
//
// # The path of one request
//
// A JVM listens on the Unix socket TEMP/.java_pidN, N being its process id in
// its innermost pid namespace, TEMP /tmp whatever java.io.tmpdir says, or, on
// JDK 28, the value of -XX:AltTempDir. The socket has mode 0600 and belongs to
// the JVM's effective uid. Most JVMs open it only when asked: a client creates
// the file .attach_pidN in the JVM's working directory (or in TEMP) and sends
// SIGQUIT. Without that file SIGQUIT makes the JVM print a thread dump on its
// own output, and SIGQUIT ends a process that does not catch it. Hence:
//
//   - The socket comes first. If it answers, no signal is sent.
//   - Before a signal: HotSpot is mapped, SIGQUIT is caught, attach is not disabled,
//     the process is not stopped and still the one that was chosen.
//   - The trigger file stays until the socket answers or the JVM has ended. The JVM
//     handles the signal only after the current garbage collection or safepoint; if
//     the file is removed earlier, the JVM prints a dump. A file that must stay is
//     named in Error.FilesLeft and names the process that it is for. The next Execute
//     or ClearLeft removes it. While it exists, no further signal is sent.
//   - The process that answers at the path must be the target. The peer's process id
//     is compared, because JVMs of several containers with one /tmp may all be process 1.
//
// The listener serves one client at a time; a silent client blocks the others.
//
// # What an attach needs
//
// Client.Limits reports what the kernel's limits leave. Checks and Execute share one
// list of checks:
//
//   - A thread for the listener, at the first attach. HotSpot (8 to 26) ends itself if
//     it cannot start the thread.
//   - Two descriptors at the first attach, one at each further one. Without the second
//     one the listener ends, its socket stays, and no client is answered any more.
//   - An inode for the socket and one for the trigger file, which also takes a block.
//   - Memory for the whole answer, which the JVM holds until it is written.
//
// A trigger file of an earlier run prevents a second signal until the JVM has handled
// the first one without opening its socket, for example because it had no descriptor.
// That is the case if the signal is not pending, the Signal Dispatcher, the VM Thread and
// the workers of collections sleep and have not run lately, and no process listens.
//
// # What may be sent
//
// Operations is the table of all requests. A Command is made by the functions of this package, and Execute sends it
// only if it is a form of a row: no other option, and no second command in a line feed. Typed makes a Command of what a
// user typed, which may be any diagnostic command. Neither is sent to a JVM that has, or may have, a bug by which the
// command can end it (Crash): Target.Version, Collector and Options show that, and an unknown release counts as one
// with the bug.
//
// # Differences by JDK
//
//	                             8        11..21    25..28
//	trigger file and peer of     own uid  own uid,  own uid,
//	                                      root      root
//	socket deleted               SIGQUIT opens it again
//	threaddump options           "-l"     "-l -e"   "-l -e"
//	getversion options           -1       -1        "2 streaming"
//	unknown version              "101\n"  "101\n"   "101\nunknown version"
//	answer is written            at the end         while the JVM is stopped,
//	                                                at the end with streaming=0
//
// The JVM compares the peer's gid too, except for root. JDK 8 compares the option
// of threaddump as a whole: "-l -e" means nothing there. 9, 10 and 22 to 24 are
// served by the same rules, untested.
//
// # What works, by JDK
//
// Results of make matrix on Linux x86-64; – marks what the JDK lacks.
//
//	                                                          8    11 Debian  17 Debian  21 Debian  25 Debian    25 Temurin   26 Debian    28 Debian
//	getversion options                                        –    –          –          –          2 streaming  2 streaming  2 streaming  2 streaming
//	status, deadlock, threads, most-work                      yes  yes        yes        yes        yes          yes          yes          yes
//	interpreter alone (-Xint)                                 yes  yes        yes        yes        yes          yes          yes          yes
//	Serial collector                                          yes  yes        yes        yes        yes          yes          yes          yes
//	Parallel collector                                        yes  yes        yes        yes        yes          yes          yes          yes
//	CMS collector                                             yes  yes        –          –          –            –            –            –
//	G1 collector                                              yes  yes        yes        yes        yes          yes          yes          yes
//	ZGC collector                                             –    yes        yes        yes        yes          yes          yes          yes
//	ZGC collector, generational                               –    –          –          yes        –            –            –            –
//	Shenandoah collector                                      –    yes        yes        yes        yes          yes          yes          yes
//	Epsilon collector                                         –    yes        yes        yes        yes          yes          yes          yes
//	root to another user's                                    yes  yes        yes        yes        yes          yes          yes          yes
//	its own user, without root                                yes  yes        yes        yes        yes          yes          yes          yes
//	another user is refused, with the line to type            yes  yes        yes        yes        yes          yes          yes          yes
//	container: pid and mount namespace, own /tmp, other user  yes  yes        yes        yes        yes          yes          yes          yes
//	chroot in namespaces, other user                          yes  yes        yes        yes        yes          yes          yes          yes
//	its /tmp cleaned, before and after the first dump         yes  yes        yes        yes        yes          yes          yes          yes
//	root without CAP_SYS_PTRACE                               yes  yes        yes        yes        yes          yes          yes          yes
//	user namespace, root there                                yes  yes        yes        yes        yes          yes          yes          yes
//	network namespace                                         yes  yes        yes        yes        yes          yes          yes          yes
//	read-only /tmp: refused, nothing sent                     yes  yes        yes        yes        yes          yes          yes          yes
//	two JVMs that are process 1, with one /tmp                yes  yes        yes        yes        yes          yes          yes          yes
//	hidepid                                                   yes  yes        yes        yes        yes          yes          yes          yes
//	another /tmp (AltTempDir)                                 –    –          –          –          –            –            –            yes
//	without counters, or shared ones                          yes  yes        yes        yes        yes          yes          yes          yes
//	attach disabled, in plain sight and in files of options   yes  yes        yes        yes        yes          yes          yes          yes
//	SIGQUIT not caught (-Xrs)                                 yes  yes        yes        yes        yes          yes          yes          yes
//	SIGQUIT ignored (-Xrs, nohup)                             yes  yes        yes        yes        yes          yes          yes          yes
//	stopped, before and after the first dump                  yes  yes        yes        yes        yes          yes          yes          yes
//	thread in uninterruptible sleep                           yes  yes        yes        yes        yes          yes          yes          yes
//	long safepoint                                            yes  yes        yes        yes        yes          yes          yes          yes
//	full collections of seconds                               yes  yes        yes        yes        yes          yes          yes          yes
//	listener held by a silent client                          yes  yes        yes        yes        yes          yes          yes          yes
//	swapped out                                               yes  yes        yes        yes        yes          yes          yes          yes
//	shutting down                                             yes  yes        yes        yes        yes          yes          yes          yes
//	zombie, with what ended it                                yes  yes        yes        yes        yes          yes          yes          yes
//	killed for lack of memory                                 yes  yes        yes        yes        yes          yes          yes          yes
//	OpenJ9 is refused                                         yes  yes        yes        yes        yes          yes          yes          yes
//
// # Bytes
//
// Version 1: "1\0" command "\0" and exactly three arguments, each ended by "\0";
// at most 16 bytes of command and 1,024 of each argument, or the JVM closes the
// connection without an answer. Version 2 (24 and later): "2\0" length "\0" and then
// command, a space and options such as streaming=0, "\0", any number of arguments
// each ended by "\0". The answer to both is a decimal status, a line feed, and
// text until the JVM closes the connection.
package attach
