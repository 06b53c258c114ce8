package vthread

import "slices"

const (
	// mostScopes bounds the structured scopes that one thread has open.
	mostScopes = 1000
	// root is the container of threads that were started by Thread.start.
	root = 0
)

// found is the address of a thread, and its container as an index.
type found struct {
	at        uint64
	container int32
}

// listReader finds threads.
type listReader struct {
	*objectReader
	// indices are those of the containers, which Threads.Containers are.
	indices    map[Container]int
	containers *[]Container
}

// list finds the threads that the JDK keeps: those of the root container, and those of the containers that are
// registered.
func (r *listReader) list() []found {
	var all []found
	if r.layout.tracked != 0 {
		all = r.add(all, root, r.setKeys(r.static(r.layout.tracked)))
	}
	if r.layout.registry == 0 {
		return all
	}
	for _, weak := range r.setKeys(r.static(r.layout.registry)) {
		if r.over() {
			break
		}
		if c := r.field(weak, "referent"); c != 0 {
			all = r.threadsIn(all, c)
		}
	}
	return all
}

func (r *listReader) add(all []found, container int, threads []uint64) []found {
	all = slices.Grow(all, len(threads))
	for _, at := range threads {
		all = append(all, found{at, int32(container)})
	}
	return all
}

// threadsIn adds the threads of a container.
func (r *listReader) threadsIn(all []found, object uint64) []found {
	set := r.field(object, "threads") // ThreadPerTaskExecutor
	name := ""
	if flock := r.field(object, "flock"); set == 0 && flock != 0 { // ThreadFlock$ThreadContainerImpl
		set = r.field(flock, "threads")
		name = r.jvm.Text(r.field(flock, "name"))
	}
	if set == 0 {
		set = r.field(object, "virtualThreads") // SharedThreadContainer
	}
	if set == 0 {
		return all
	}
	threads := r.setKeys(set)
	if len(threads) == 0 {
		return all
	}
	if class := r.jvm.ClassName(object); name == "" {
		name = class
	} else {
		name += " (" + class + ")"
	}
	owner := r.jvm.ThreadID(r.field(object, "owner"))
	return r.add(all, r.container(Container{name, owner}), threads)
}

// container is the index of a container.
func (r *listReader) container(c Container) int {
	i, known := r.indices[c]
	if !known {
		i = len(*r.containers)
		r.indices[c] = i
		*r.containers = append(*r.containers, c)
	}
	return i
}

// scoped are the threads of the structured scopes that a thread has opened: containers that are not registered, but
// linked from the thread (Thread.headStackableScopes, StackableScope.previous).
func (r *listReader) scoped(scope uint64) []found {
	var all []found
	for range mostScopes {
		if scope == 0 || r.over() {
			break
		}
		all = r.threadsIn(all, scope)
		scope = r.field(scope, "previous")
	}
	return all
}

// scopedOfPlatform are the threads of the scopes that platform threads have opened.
func (r *listReader) scopedOfPlatform() []found {
	var all []found
	for _, thread := range r.jvm.PlatformThreads() {
		if scope := r.field(thread, "headStackableScopes"); scope != 0 {
			all = append(all, r.scoped(scope)...)
		}
	}
	return all
}

// Container is where the JDK keeps threads: an executor, a structured scope.
type Container struct {
	Name string
	// Owner is the id of the thread that opened a structured scope, else 0.
	Owner int64
}
