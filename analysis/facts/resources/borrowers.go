package resources

import (
	"slices"
	"strings"

	"jstall/analysis/facts/locks"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// HolderEvidence says by what a thread is known to hold a permit or pooled object.
type HolderEvidence uint8

const (
	// NoHolder: nothing shows that the thread holds one.
	NoHolder HolderEvidence = iota
	// InTransaction: it is inside a transaction, which most likely has a connection.
	InTransaction
	// usesPooled: it is in a call on a pooled object.
	usesPooled
	// PastAcquire: it is in the method in which others wait, past the acquire.
	PastAcquire
)

// HoldersOf are the threads that hold what others wait for, by the frames between acquire and
// release, and the best evidence for any of them. Transactions count where nothing better shows.
func HoldersOf(f *timeline.Timeline, at int, waiters []*timeline.Sample) ([]*timeline.Sample, HolderEvidence) {
	asking, key := locks.StacksOf(waiters), ResourceKey(waiters[0])
	known, found := map[*stack.Stack]HolderEvidence{}, map[HolderEvidence][]*timeline.Sample{}
	for i := range f.Snaps[at].Samples {
		s := &f.Snaps[at].Samples[i]
		if !MayBorrow(s) || slices.Contains(waiters, s) || key != "" && ResourceKey(s) == key {
			continue
		}
		evidence, seen := known[s.Stack]
		if !seen {
			evidence = borrowed(s.Stack, asking)
			known[s.Stack] = evidence
		}
		if !betweenTwo(f, at, s, asking) {
			found[evidence] = append(found[evidence], s)
		}
	}
	sure := append(found[PastAcquire], found[usesPooled]...)
	switch {
	case len(found[PastAcquire]) > 0:
		return timeline.InNameOrder(sure), PastAcquire
	case len(sure) > 0:
		return timeline.InNameOrder(sure), usesPooled
	case len(found[InTransaction]) > 0:
		return timeline.InNameOrder(found[InTransaction]), InTransaction
	}
	return nil, NoHolder
}

// MayBorrow tells threads of the application that have something to do.
func MayBorrow(s *timeline.Sample) bool {
	return s.Thread.Role == threaddump.Application && len(s.Stack.Frames) > 0 &&
		(s.Resting() == nil || s.Stack.Op.Kind == stack.OpSleep)
}

// borrowed is the best evidence of a stack against those of the waiters.
func borrowed(s *stack.Stack, asking []*stack.Stack) HolderEvidence {
	best := NoHolder
	for _, w := range asking {
		switch {
		case IsPast(s, w):
			return PastAcquire
		case usesPooledThingOf(s, w):
			best = usesPooled
		case best == NoHolder && asksForConnection(w) && inTransaction(s):
			best = InTransaction
		}
	}
	return best
}

// IsPast reports that the stack is in a method that a waiter acquires in, past the acquire.
func IsPast(s *stack.Stack, waiter *stack.Stack) bool { return pastSite(s, waiter) >= 0 }

// pastSite is the index of that method's frame, -1 if there is none: at a later line with a call
// below it, or at the same line in a call of code that hands nothing out.
func pastSite(s *stack.Stack, waiter *stack.Stack) int {
	sites := acquireSites(waiter)
	for i := 1; i < len(s.Frames); i++ {
		fr, called := s.Frames[i], s.Frames[i-1]
		sameLine := !stack.IsJDK(called) && !handsOn(called)
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
func acquireSites(s *stack.Stack) []*threaddump.Frame {
	var sites []*threaddump.Frame
	start := slices.Index(s.Frames, s.Op.Caller)
	if start < 0 {
		return nil
	}
	for _, fr := range s.Frames[start:] {
		if stack.IsJDK(fr) {
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
	if stack.OriginOf(fr) == stack.OfLibrary {
		method = strings.TrimPrefix(strings.TrimPrefix(method, "do"), "internal")
		return slices.ContainsFunc(libraryHandOuts[:], begins)
	}
	return slices.ContainsFunc(Lendings[:], begins) || slices.ContainsFunc(handOuts[:], begins) ||
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
func betweenTwo(f *timeline.Timeline, at int, s *timeline.Sample, asking []*stack.Stack) bool {
	switch s.Stack.Op.Kind {
	case stack.OpSleep, stack.OpTake, stack.OpNotify, stack.OpCondition, stack.OpPark:
	default:
		return false
	}
	site := s.Stack.Op.Caller
	if site == nil || site != s.Stack.OutermostProgram() || !slices.ContainsFunc(asking, func(w *stack.Stack) bool {
		i := pastSite(s.Stack, w)
		return i >= 0 && s.Stack.Frames[i] == site
	}) {
		return false
	}
	return locks.OneMoment(f) || locks.Ticks(f, at, s) || !f.StandsStill(f.History(s))
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
func usesPooledThingOf(s *stack.Stack, waiter *stack.Stack) bool {
	i := slices.IndexFunc(pooledThings[:], func(p pooledThing) bool { return p == PooledThing(waiter) })
	if i < 0 {
		return false
	}
	for _, pool := range pooledCalls {
		if pool.pool == pooledThings[i].class {
			return slices.ContainsFunc(AboveProgram(s), func(fr *threaddump.Frame) bool { return stack.StartsWithAny(fr.Class, pool.uses) })
		}
	}
	return false
}

// AboveProgram are the frames of the calls that the program made, all if the stack has none of it.
func AboveProgram(s *stack.Stack) []*threaddump.Frame {
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
func inTransaction(s *stack.Stack) bool {
	return slices.ContainsFunc(s.Frames, func(fr *threaddump.Frame) bool { return stack.StartsWithAny(fr.Name(), transactions[:]) })
}

// asksForConnection tells a wait for a connection to a database.
func asksForConnection(s *stack.Stack) bool { return PooledThing(s).Jdbc }
