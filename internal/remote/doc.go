// Package remote runs jstall on other machines and in containers, through the user's own client: ssh, docker, podman,
// kubectl, or any command that passes a shell line on.
//
// One process of the client serves one run. Its command line holds a short fixed shell line (see [Place.Command]);
// everything else goes through its standard input and output, in turns:
//
//	to it    the script (script.sh) with the words of jstall quoted for a POSIX shell, each line behind ">", then "."
//	from it  a greeting: system, architecture, whether gzip is there, whether a folder can be written and executed,
//	         and the binaries that earlier runs have kept
//	to it    one line that says which binary follows, its length, then the binary
//	from it  what jstall writes to its standard output, then a last line with its exit code
//
// Standard input stays open meanwhile: its end shows the other side that the connection is lost. The script then ends
// jstall with SIGTERM and removes its folder. Lines of the script begin with a random number of the run, so that no
// other output is mistaken for them. Text from the other side is never given to a shell here.
package remote
