package classfile

import (
	"strings"
	"testing"
)

const register = `import java.util.*;
import java.util.concurrent.locks.*;
class Register {
	final Map<String, String> all = new HashMap<>();
	final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
	final ReadWriteLock other = lock;
	final Lock reading = lock.readLock(), writing = lock.writeLock();
	String kept(String k) {
		lock.readLock().lock();
		try {
			String v = all.get(k);
			if (v != null) return v;
			lock.writeLock().lock(); // kept
			try { return all.put(k, k); } finally { lock.writeLock().unlock(); }
		} finally { lock.readLock().unlock(); }
	}
	String released(String k) {
		String v;
		other.readLock().lock();
		try {
			v = all.get(k);
			if (v != null) return v;
		} finally { other.readLock().unlock(); }
		other.writeLock().lock(); // released
		try { return all.put(k, k); } finally { other.writeLock().unlock(); }
	}
	String fields(String k) {
		reading.lock();
		String v = all.get(k);
		if (v != null) { reading.unlock(); return v; }
		writing.lock(); // fields
		return all.put(k, k);
	}
	String once(String k) {
		reading.lock();
		String v = all.get(k);
		reading.unlock();
		if (v == null) { writing.lock(); /* once */ v = all.put(k, k); writing.unlock(); }
		return v;
	}
	String passes(Register to, String k) {
		lock.readLock().lock();
		to.lock.writeLock().lock(); // passes
		return to.all.put(k, all.get(k));
	}
	static String given(ReadWriteLock both, String k) {
		both.readLock().lock();
		both.writeLock().lock(); // given
		return k;
	}
	void either(boolean w) {
		if (!w) lock.readLock().lock();
		else
			lock.writeLock().lock(); // either
	}
	void chosen(int w) {
		switch (w) {
		case 1: lock.readLock().lock(); break;
		default:
			lock.writeLock().lock(); // chosen
		}
	}
	void others(ReadWriteLock a, ReadWriteLock b) {
		a.readLock().lock(); b.readLock().lock(); b.readLock().unlock();
		b.writeLock().lock(); // others
	}
	void next(ReadWriteLock l, ReadWriteLock other) {
		l.readLock().lock(); l = other;
		l.writeLock().lock(); // next
	}
	void endRead() { lock.readLock().unlock(); }
	void helped() {
		lock.readLock().lock(); endRead();
		lock.writeLock().lock(); // helped
	}
	final Lock threadLock = new ReentrantLock();
	void named() {
		threadLock.lock();
		writing.lock(); // named
	}
	void stored() {
		Lock r = lock.readLock();
		r.lock();
		writing.lock(); // stored
	}
	String writes(String k) {
		writing.lock(); // writes
		return all.put(k, k);
	}
}
`

func TestReadLocksThatAreKept(t *testing.T) {
	c, err := Parse(compile(t, register)["Register"])
	if err != nil {
		t.Fatal(err)
	}
	for method, want := range map[string][2]bool{
		"kept": {true, true}, "released": {}, "fields": {true, false}, "once": {}, "writes": {},
		"passes": {true, false}, "given": {true, true}, "either": {}, "chosen": {}, "others": {true, false}, "next": {}, "helped": {},
		"named": {}, "stored": {}, // a variable that may be any lock
	} {
		mark := "// " + method
		if method == "once" {
			mark = "/* once"
		}
		before, _, _ := strings.Cut(register, mark)
		at := Place{Class: "Register", Method: method, Line: 1 + strings.Count(before, "\n"), Callee: "lock"}
		holds, upgrades := c.HoldsReadLock(at)
		if got := [2]bool{holds, upgrades}; got != want {
			t.Errorf("%s: %v", method, got)
		}
	}
}
