package resources

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

// pooledThing is what a library's pool hands out, by the class that waits for it.
type pooledThing struct {
	Class string // the beginning of the library's classes
	Pool  string // "HikariCP connection pool"
	Jdbc  bool   // connections to a database
}

// pooledThings are widely used connection pools, by the prefixes of their classes; the first match counts.
var pooledThings = [...]pooledThing{
	{"com.zaxxer.hikari.", "HikariCP connection pool", true},
	{"org.apache.tomcat.jdbc.", "Tomcat JDBC connection pool", true},
	{"org.apache.tomcat.dbcp.", "DBCP connection pool", true},
	{"org.apache.commons.dbcp", "DBCP connection pool", true},
	{"com.mchange.v2.", "c3p0 connection pool", true},
	{"com.jolbox.bonecp.", "BoneCP connection pool", true},
	{"com.alibaba.druid.", "Druid connection pool", true},
	{"org.vibur.", "Vibur connection pool", true},
	{"io.agroal.", "Agroal connection pool", true},
	{"org.jboss.jca.", "IronJacamar connection pool", true},
	{"oracle.ucp.", "Oracle UCP connection pool", true},
	{"redis.clients.jedis.", "Jedis connection pool", false},
	{"io.lettuce.", "Lettuce connection pool", false},
	{"com.mongodb.", "MongoDB connection pool", false},
	{"org.apache.hc.", "HttpClient connection pool", false},
	{"org.apache.http.", "HttpClient connection pool", false},
	{"org.apache.commons.httpclient.", "HttpClient connection pool", false},
	{"okhttp3.", "OkHttp connection pool", false},
}

// PooledThing is the library pool that the stack waits for; empty if the stack waits in no known pool. The outermost
// match between the wait and the first frame of the program counts, so that a Jedis pool is not reported as the
// commons-pool that it uses.
func PooledThing(s *stack.Stack) pooledThing {
	var found pooledThing
	for _, f := range s.Frames {
		if f == s.Application {
			break
		}
		for _, p := range pooledThings {
			if strings.HasPrefix(f.Class, p.Class) {
				found = p
				break
			}
		}
	}
	return found
}

// pooledCalls are the prefixes of the classes that a thread calls while it uses an object of a library's pool, by the
// prefix of the classes in which others wait for one.
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
	{"org.jboss.jca.", []string{"org.jboss.jca.adapters.jdbc.Wrapped",
		"org.jboss.jca.adapters.jdbc.CachedPreparedStatement"}},
	{"oracle.ucp.", []string{"oracle.ucp.jdbc.proxy."}},
	{"redis.clients.jedis.", []string{"redis.clients.jedis.Connection", "redis.clients.jedis.Jedis",
		"redis.clients.jedis.BinaryJedis", "redis.clients.jedis.Protocol"}},
	{"com.mongodb.", []string{"com.mongodb.internal.connection.DefaultConnectionPool$Pooled",
		"com.mongodb.internal.connection.InternalStreamConnection",
		"com.mongodb.internal.connection.UsageTrackingInternalConnection"}},
	{"org.apache.http.", []string{"org.apache.http.impl.conn.CPoolProxy",
		"org.apache.http.protocol.HttpRequestExecutor", "org.apache.http.impl.io.ContentLengthInputStream",
		"org.apache.http.impl.io.ChunkedInputStream"}},
	{"org.apache.hc.", []string{"org.apache.hc.core5.http.impl.io."}},
	{"org.apache.commons.httpclient.", []string{"org.apache.commons.httpclient.HttpConnection",
		"org.apache.commons.httpclient.HttpMethod",
		"org.apache.commons.httpclient.MultiThreadedHttpConnectionManager$HttpConnectionAdapter"}},
}

// usesPooledThingOf reports whether the program is in a call on an object of the library's pool that a waiter waits
// for.
func usesPooledThingOf(s *stack.Stack, waiter *stack.Stack) bool {
	i := slices.IndexFunc(pooledThings[:], func(p pooledThing) bool { return p == PooledThing(waiter) })
	if i < 0 {
		return false
	}
	for _, pool := range pooledCalls {
		if pool.pool == pooledThings[i].Class {
			return slices.ContainsFunc(AboveProgram(s),
				func(fr *threaddump.Frame) bool { return stack.StartsWithAny(fr.Class, pool.uses) })
		}
	}
	return false
}

// AboveProgram returns the frames of the calls that the program made; all frames if the stack has none of the program.
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
	"org.hibernate.SharedSessionContract.inTransaction",
	"org.hibernate.internal.TransactionManagementHelper.manageTransaction",
	"org.hibernate.internal.SessionImpl.", "com.google.inject.persist.jpa.JpaLocalTxnInterceptor.invoke",
}

// inTransaction reports whether the stack is inside a transaction.
func inTransaction(s *stack.Stack) bool {
	begins := func(fr *threaddump.Frame) bool { return stack.StartsWithAny(fr.Name(), transactions[:]) }
	return slices.ContainsFunc(s.Frames, begins)
}

// asksForConnection reports whether a thread waits for a connection to a database.
func asksForConnection(s *stack.Stack) bool { return PooledThing(s).Jdbc }
