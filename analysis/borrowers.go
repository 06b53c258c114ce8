package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// holderEvidence says by what a thread is known to hold a permit or pooled object.
type holderEvidence uint8

const (
	// noHolder: nothing shows that the thread holds one.
	noHolder holderEvidence = iota
	// inTransaction: it is inside a transaction, which most likely has a connection.
	inTransaction
	// usesPooled: it is in a call on a pooled object.
	usesPooled
	// pastAcquire: it is in the method in which others wait, past the acquire.
	pastAcquire
)

// holdersOf are the threads that hold what others wait for, by the frames between acquire and
// release, and the best evidence for any of them. Transactions count where nothing better shows.
func (f *timeline) holdersOf(at int, waiters []*Sample) ([]*Sample, holderEvidence) {
	asking, key := stacksOf(waiters), resourceKey(waiters[0])
	known, found := map[*Stack]holderEvidence{}, map[holderEvidence][]*Sample{}
	for i := range f.snaps[at].samples {
		s := &f.snaps[at].samples[i]
		if !s.mayBorrow() || slices.Contains(waiters, s) || key != "" && resourceKey(s) == key {
			continue
		}
		evidence, seen := known[s.Stack]
		if !seen {
			evidence = s.Stack.borrowed(asking)
			known[s.Stack] = evidence
		}
		if !f.betweenTwo(at, s, asking) {
			found[evidence] = append(found[evidence], s)
		}
	}
	sure := append(found[pastAcquire], found[usesPooled]...)
	switch {
	case len(found[pastAcquire]) > 0:
		return inNameOrder(sure), pastAcquire
	case len(sure) > 0:
		return inNameOrder(sure), usesPooled
	case len(found[inTransaction]) > 0:
		return inNameOrder(found[inTransaction]), inTransaction
	}
	return nil, noHolder
}

// mayBorrow tells threads of the application that have something to do.
func (s *Sample) mayBorrow() bool {
	return s.Thread.Role == threaddump.Application && len(s.Stack.Frames) > 0 &&
		(s.resting() == nil || s.Stack.op.kind == opSleep)
}

// borrowed is the best evidence of a stack against those of the waiters.
func (s *Stack) borrowed(asking []*Stack) holderEvidence {
	best := noHolder
	for _, w := range asking {
		switch {
		case s.isPast(w):
			return pastAcquire
		case s.usesPooledThingOf(w):
			best = usesPooled
		case best == noHolder && w.asksForConnection() && s.inTransaction():
			best = inTransaction
		}
	}
	return best
}

// isPast reports that the stack is in a method that a waiter acquires in, past the acquire.
func (s *Stack) isPast(waiter *Stack) bool { return s.pastSite(waiter) >= 0 }

// pastSite is the index of that method's frame, -1 if there is none: at a later line with a call
// below it, or at the same line in a call of code that hands nothing out.
func (s *Stack) pastSite(waiter *Stack) int {
	sites := waiter.acquireSites()
	for i := 1; i < len(s.Frames); i++ {
		fr, called := s.Frames[i], s.Frames[i-1]
		sameLine := !isJDK(called) && !handsOn(called)
		if slices.ContainsFunc(sites, func(a *threaddump.Frame) bool {
			return sameMethod(a, fr) && a.Line > 0 && (a.Line < fr.Line || a.Line == fr.Line && sameLine)
		}) {
			return i
		}
	}
	return -1
}

func sameMethod(a, b *threaddump.Frame) bool { return a.Class == b.Class && a.Method == b.Method }

// acquireSites are the frames of a waiter whose methods have got what is waited for when they
// go on: the one that acquires, and the callers of methods that only hand out.
func (s *Stack) acquireSites() []*threaddump.Frame {
	var sites []*threaddump.Frame
	start := slices.Index(s.Frames, s.op.caller)
	if start < 0 {
		return nil
	}
	for _, fr := range s.Frames[start:] {
		if isJDK(fr) {
			continue
		}
		if i := slices.IndexFunc(sites, func(a *threaddump.Frame) bool { return sameMethod(a, fr) }); i < 0 {
			sites = append(sites, fr)
		} else if fr.Line > sites[i].Line {
			sites[i] = fr // overloads of one name call each other
		}
		if !handsOn(fr) {
			break
		}
	}
	return sites
}

// handsOn tells methods that return to their caller what they got: those of libraries by wider
// words, as what they are called with is known to be a pool.
func handsOn(fr *threaddump.Frame) bool {
	method := strings.ToLower(fr.Method)
	begins := func(word string) bool { return strings.HasPrefix(method, word) }
	if originOf(fr) == ofLibrary {
		method = strings.TrimPrefix(strings.TrimPrefix(method, "do"), "internal")
		return slices.ContainsFunc(libraryHandOuts[:], begins)
	}
	return slices.ContainsFunc(lendings[:], begins) || slices.ContainsFunc(handOuts[:], begins) ||
		slices.ContainsFunc(openings[:], begins)
}

// openings begin the names of methods of programs that pass on what they got, libraryHandOuts
// those of libraries, from a pool up to the code that uses what comes from it.
var (
	openings        = [...]string{"open", "begin", "enter", "connection", "connect", "getclient", "getchannel", "newconnection", "newsession"}
	libraryHandOuts = [...]string{
		"access$", "acquire", "allocate", "await", "begin", "borrow", "checkout", "connect", "create", "datasource", "fetch", "get",
		"handler", "lease", "obtain", "open", "poll", "prelim", "start", "take", "wait",
	}
)

// betweenTwo tells a thread that waits in the very method in which others acquire, which is the
// one that it was started with: a loop has most likely given back what it got before it pauses
// or waits for its next job. One that did not move in any of several dumps still has it.
func (f *timeline) betweenTwo(at int, s *Sample, asking []*Stack) bool {
	switch s.Stack.op.kind {
	case opSleep, opTake, opNotify, opCondition, opPark:
	default:
		return false
	}
	site := s.Stack.op.caller
	if site == nil || site != s.Stack.outermostProgram() || !slices.ContainsFunc(asking, func(w *Stack) bool {
		i := s.Stack.pastSite(w)
		return i >= 0 && s.Stack.Frames[i] == site
	}) {
		return false
	}
	return f.oneMoment() || f.ticks(at, s) || !f.standsStill(f.history(s))
}

// pooledCalls are the classes in which a thread is that uses an object of a library's pool, by
// the beginning of the classes in which others wait for one.
var pooledCalls = [...]struct {
	pool string
	uses []string
}{
	{"com.zaxxer.hikari.", []string{"com.zaxxer.hikari.pool.HikariProxy", "com.zaxxer.hikari.pool.Proxy"}},
	{"org.apache.commons.dbcp", []string{"org.apache.commons.dbcp.Delegating", "org.apache.commons.dbcp.Pool",
		"org.apache.commons.dbcp2.Delegating", "org.apache.commons.dbcp2.Pool"}},
	{"org.apache.tomcat.dbcp.", []string{"org.apache.tomcat.dbcp.dbcp2.Delegating",
		"org.apache.tomcat.dbcp.dbcp2.Pool", "org.apache.tomcat.dbcp.dbcp.Delegating"}},
	{"org.apache.tomcat.jdbc.", []string{"org.apache.tomcat.jdbc.pool.ProxyConnection",
		"org.apache.tomcat.jdbc.pool.StatementFacade", "org.apache.tomcat.jdbc.pool.DisposableConnectionFacade"}},
	{"com.mchange.v2.", []string{"com.mchange.v2.c3p0.impl.NewProxy"}},
	{"com.alibaba.druid.", []string{"com.alibaba.druid.pool.DruidPooled", "com.alibaba.druid.proxy.jdbc."}},
	{"com.jolbox.bonecp.", []string{"com.jolbox.bonecp.ConnectionHandle", "com.jolbox.bonecp.StatementHandle",
		"com.jolbox.bonecp.PreparedStatementHandle", "com.jolbox.bonecp.CallableStatementHandle"}},
	{"org.vibur.", []string{"org.vibur.dbcp.proxy."}},
	{"io.agroal.", []string{"io.agroal.pool.wrapper."}},
	{"org.jboss.jca.", []string{"org.jboss.jca.adapters.jdbc.Wrapped", "org.jboss.jca.adapters.jdbc.CachedPreparedStatement"}},
	{"oracle.ucp.", []string{"oracle.ucp.jdbc.proxy."}},
	{"redis.clients.jedis.", []string{"redis.clients.jedis.Connection", "redis.clients.jedis.Jedis",
		"redis.clients.jedis.BinaryJedis", "redis.clients.jedis.Protocol"}},
	{"com.mongodb.", []string{"com.mongodb.internal.connection.DefaultConnectionPool$Pooled",
		"com.mongodb.internal.connection.InternalStreamConnection", "com.mongodb.internal.connection.UsageTrackingInternalConnection"}},
	{"org.apache.http.", []string{"org.apache.http.impl.conn.CPoolProxy",
		"org.apache.http.protocol.HttpRequestExecutor", "org.apache.http.impl.io.ContentLengthInputStream",
		"org.apache.http.impl.io.ChunkedInputStream"}},
	{"org.apache.hc.", []string{"org.apache.hc.core5.http.impl.io."}},
	{"org.apache.commons.httpclient.", []string{"org.apache.commons.httpclient.HttpConnection",
		"org.apache.commons.httpclient.HttpMethod",
		"org.apache.commons.httpclient.MultiThreadedHttpConnectionManager$HttpConnectionAdapter"}},
}

// usesPooledThingOf reports that the program is in a call on an object of the library's pool
// that a waiter waits for.
func (s *Stack) usesPooledThingOf(waiter *Stack) bool {
	i := slices.IndexFunc(pooledThings[:], func(p pooledThing) bool { return p == waiter.pooledThing() })
	if i < 0 {
		return false
	}
	for _, pool := range pooledCalls {
		if pool.pool == pooledThings[i].class {
			return slices.ContainsFunc(s.aboveProgram(), func(fr *threaddump.Frame) bool { return startsWithAny(fr.Class, pool.uses) })
		}
	}
	return false
}

// aboveProgram are the frames of the calls that the program made, all if the stack has none of it.
func (s *Stack) aboveProgram() []*threaddump.Frame {
	if i := slices.Index(s.Frames, s.Application); i >= 0 {
		return s.Frames[:i]
	}
	return s.Frames
}

// transactions begin the methods of libraries that run code of the program in a transaction.
var transactions = [...]string{
	"org.springframework.transaction.interceptor.TransactionAspectSupport.invokeWithinTransaction",
	"org.springframework.transaction.support.TransactionTemplate.execute",
	"org.jboss.as.ejb3.tx.CMTTxInterceptor.", "com.arjuna.ats.jta.cdi.transactional.Transactional",
	"io.quarkus.narayana.jta.runtime.interceptor.Transactional", "org.jooq.impl.DefaultDSLContext.transaction",
	"org.jdbi.v3.core.Jdbi.withHandle", "org.jdbi.v3.core.Jdbi.inTransaction",
	"org.hibernate.SharedSessionContract.inTransaction", "org.hibernate.internal.TransactionManagementHelper.manageTransaction",
	"org.hibernate.internal.SessionImpl.", "com.google.inject.persist.jpa.JpaLocalTxnInterceptor.invoke",
}

// inTransaction reports that the stack is inside a transaction, other than to begin it.
func (s *Stack) inTransaction() bool {
	return slices.ContainsFunc(s.Frames, func(fr *threaddump.Frame) bool { return startsWithAny(fr.Name(), transactions[:]) })
}

// asksForConnection tells a wait for a connection to a database.
func (s *Stack) asksForConnection() bool { return s.pooledThing().jdbc }

// begun are the application's own frames without those that a thread was started with, which
// all threads of a program may have in common; the innermost at least.
func (s *Stack) begun() []*threaddump.Frame {
	own := s.program()
	if begun := inner(own); len(begun) > 0 {
		return begun
	}
	return own[:min(1, len(own))]
}

// libraryOf is the beginning that the packages of one library have in common, as
// "org.apache.commons".
func libraryOf(class string) string {
	const words = 3
	parts := strings.SplitN(class, ".", words+1)
	return strings.Join(parts[:min(words, len(parts)-1)], ".")
}
