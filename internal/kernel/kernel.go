// Package kernel reads what Linux says of a process, its threads, its cgroup
// and the machine: raw bytes under a root that is passed in, and pure parsers.
package kernel
