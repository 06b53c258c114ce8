package facts

const (
	hikariClass  = "com.zaxxer.hikari.pool.HikariPool"
	commonsClass = "org.apache.commons.pool2.impl.GenericObjectPool"
	tomcatClass  = "org.apache.tomcat.jdbc.pool.ConnectionPool"
	atomicInt    = juc + "atomic.AtomicInteger"
)

// poolReaders read pools of connections and other objects by the fields that their classes have.
var poolReaders = map[string]func(f *reader, at uint64) (Pool, bool){
	hikariClass: (*reader).hikari, commonsClass: (*reader).commons, tomcatClass: (*reader).tomcat,
}

// maxPooled bounds the objects of one pool.
const maxPooled = 1 << 16

// pool notes a pool that a thread is inside a method of; false if the object is not a pool.
func (f *reader) pool(id int64, at uint64) bool {
	for class, read := range poolReaders {
		if !f.IsA(at, class) {
			continue
		}
		p := f.pools[at]
		if p == nil {
			one, ok := read(f, at)
			if !ok || one.Active < 0 || one.Idle < 0 {
				return true
			}
			one.Object = f.PlainObject(at)
			p = &one
			f.pools[at] = p
		}
		p.ThreadIDs = append(p.ThreadIDs, id)
		return true
	}
	return false
}

// hikari counts the entries of the bag by their state: 0 is not in use, 1 in use (ConcurrentBag.IConcurrentBagEntry).
func (f *reader) hikari(at uint64) (Pool, bool) {
	const base = "com.zaxxer.hikari.pool.PoolBase"
	config, _ := f.DeclaredReference(at, base, "config")
	most, ok := f.DeclaredInt(config, "com.zaxxer.hikari.HikariConfig", "maxPoolSize")
	bag, _ := f.DeclaredReference(at, hikariClass, "connectionBag")
	list, _ := f.DeclaredReference(bag, "com.zaxxer.hikari.util.ConcurrentBag", "sharedList")
	array, ok2 := f.DeclaredReference(list, juc+"CopyOnWriteArrayList", "array")
	p := Pool{Most: most}
	for _, entry := range f.References(array, maxPooled) {
		switch state, ok := f.DeclaredInt(entry, "com.zaxxer.hikari.pool.PoolEntry", "state"); {
		case !ok:
			return p, false
		case state == 0:
			p.Idle++
		case state == 1:
			p.Active++
		}
	}
	return p, ok && ok2
}

// commons is commons-pool2, on which dbcp2, Jedis and others rest.
func (f *reader) commons(at uint64) (Pool, bool) {
	most, ok := f.DeclaredInt(at, "org.apache.commons.pool2.impl.BaseGenericObjectPool", "maxTotal")
	count, _ := f.DeclaredReference(at, commonsClass, "createCount")
	created, ok2 := f.Declared(count, juc+"atomic.AtomicLong", "value")
	deque, _ := f.DeclaredReference(at, commonsClass, "idleObjects")
	idle, ok3 := f.DeclaredInt(deque, "org.apache.commons.pool2.impl.LinkedBlockingDeque", "count")
	if !ok || !ok2 || !ok3 {
		return Pool{}, false
	}
	return Pool{Most: most, Idle: idle, Active: int(int32(f.Objects.U32(created))) - idle}, true
}

// tomcat is the pool of tomcat-jdbc.
func (f *reader) tomcat(at uint64) (Pool, bool) {
	properties, _ := f.DeclaredReference(at, tomcatClass, "poolProperties")
	most, ok := f.DeclaredInt(properties, "org.apache.tomcat.jdbc.pool.PoolProperties", "maxActive")
	size, _ := f.DeclaredReference(at, tomcatClass, "size")
	all, ok2 := f.DeclaredInt(size, atomicInt, "value")
	idle, ok3 := f.tomcatIdle(at)
	return Pool{Most: most, Idle: idle, Active: all - idle}, ok && ok2 && ok3
}

// tomcatIdle counts the idle connections: a fair queue has its own list.
func (f *reader) tomcatIdle(at uint64) (int, bool) {
	idle, _ := f.DeclaredReference(at, tomcatClass, "idle")
	if q := f.queue(idle); q != nil {
		return q.Size, true
	}
	items, _ := f.DeclaredReference(idle, "org.apache.tomcat.jdbc.pool.FairBlockingQueue", "items")
	return f.DeclaredInt(items, "java.util.LinkedList", "size")
}
