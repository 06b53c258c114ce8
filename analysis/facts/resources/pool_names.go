package resources

import (
	"strings"

	"jstall/analysis/stack"
)

// pooledThing is what a library's pool hands out, by the class that waits for it.
type pooledThing struct {
	class string
	Pool  string // "HikariCP connection pool"
	Jdbc  bool   // connections to a database
}

// anyPool is a pool of no known library.
var anyPool = pooledThing{Pool: "object pool"}

// pooledThings are the pools of connections that people run, by the beginnings of their
// classes; the first match holds.
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

// PooledThing tells what the stack waits for in a library's pool: the frames from the wait to
// the first frame of the program tell, so that a Jedis pool is not taken for the commons-pool
// below it.
func PooledThing(s *stack.Stack) pooledThing {
	found := anyPool
	for _, f := range s.Frames {
		if f == s.Application {
			break
		}
		for _, p := range pooledThings {
			if strings.HasPrefix(f.Class, p.class) {
				found = p
				break
			}
		}
	}
	return found
}
