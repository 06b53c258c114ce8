package analysis

import "strings"

// pooledThing names what a library's pool hands out, by the class that waits.
type pooledThing struct{ class, name string }

// pooledThings are the pools of connections that people run, by the beginnings of their
// classes; the first match holds.
var pooledThings = [...]pooledThing{
	{"com.zaxxer.hikari.", "a connection of a HikariCP pool"},
	{"org.apache.tomcat.jdbc.", "a connection of a Tomcat JDBC pool"},
	{"org.apache.tomcat.dbcp.", "a connection of a DBCP pool"},
	{"org.apache.commons.dbcp", "a connection of a DBCP pool"},
	{"com.mchange.v2.", "a connection of a c3p0 pool"},
	{"com.jolbox.bonecp.", "a connection of a BoneCP pool"},
	{"com.alibaba.druid.", "a connection of a Druid pool"},
	{"org.vibur.", "a connection of a Vibur pool"},
	{"io.agroal.", "a connection of an Agroal pool"},
	{"org.jboss.jca.", "a connection of an IronJacamar pool"},
	{"oracle.ucp.", "a connection of an Oracle UCP pool"},
	{"redis.clients.jedis.", "a connection of a Jedis pool"},
	{"io.lettuce.", "a connection of a Lettuce pool"},
	{"com.mongodb.", "a connection of a MongoDB pool"},
	{"org.apache.hc.", "a connection of an HttpClient pool"},
	{"org.apache.http.", "a connection of an HttpClient pool"},
	{"org.apache.commons.httpclient.", "a connection of an HttpClient pool"},
	{"okhttp3.", "a connection of an OkHttp pool"},
}

// pooledThing words what the stack waits for in a library's pool: the frames from the wait to
// the first frame of the program tell, so that a Jedis pool is not taken for the commons-pool
// below it.
func (s *Stack) pooledThing() string {
	found := "a pooled object"
	for _, f := range s.Frames {
		if f == s.Application {
			break
		}
		for _, p := range pooledThings {
			if strings.HasPrefix(f.Class, p.class) {
				found = p.name
			}
		}
	}
	return found
}
