package stack

import (
	"slices"
	"strings"
	"time"
)

// IOLeast is how long a thread must have stood in one call to count as stuck: no
// peer that is well needs so long for a byte.
const IOLeast = 1500 * time.Millisecond

// DNSClient begins the names of the classes with which JNDI asks name servers.
const DNSClient = "com.sun.jndi.dns."

func StartsWithAny(s string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}
