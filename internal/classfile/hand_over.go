package classfile

import (
	"slices"
	"strings"
)

// delays tells a class that is an executor of its own kind, or has one that waits before it runs things.
func (c *Class) delays() bool {
	return strings.HasPrefix(c.super, "java.util.concurrent.") && strings.HasSuffix(c.super, "ExecutorService") ||
		slices.ContainsFunc(c.interfaces, func(i string) bool {
			return strings.HasPrefix(i, "java.util.concurrent.") && strings.Contains(i, "Executor")
		}) ||
		c.callsAny(func(member string) bool { return member == "java.util.concurrent.CompletableFuture.delayedExecutor" })
}

// runsOthers tells calls that may run a thread's object elsewhere than in that thread.
func runsOthers(member string) bool {
	return strings.HasPrefix(member, "java.util.concurrent.") || strings.HasPrefix(member, "java.util.Timer.")
}

// platformBuilder makes and starts threads of the platform.
const platformBuilder = "java.lang.Thread$Builder$OfPlatform"

// takesRun tells the calls by which a thread is given what to run.
func takesRun(member string) bool {
	return member == "java.lang.Thread.<init>" || beforeDot(member) == platformBuilder && isOneOf(" start unstarted ", afterDot(member))
}

// RunsOnce tells the calls by which an executor gets something to run at once, or as soon as it can.
func RunsOnce(member string) bool {
	class, method := beforeDot(member), afterDot(member)
	switch {
	case !strings.HasPrefix(class, "java.util.concurrent."):
		return false
	case class == "java.util.concurrent.CompletableFuture":
		return method == "runAsync" || method == "supplyAsync"
	}
	ends := func(end string) bool { return strings.HasSuffix(class, end) }
	return (ends("Executor") || ends("ExecutorService") || ends("ForkJoinPool") || ends("CompletionService")) && isOneOf(" execute submit ", method)
}

// callsAtOnce tells the methods of collections and streams that call what they are given before they
// come back.
func callsAtOnce(member string) bool {
	return strings.HasPrefix(member, "java.util.") && !strings.HasPrefix(member, "java.util.concurrent.Completable") &&
		isOneOf(" forEach computeIfAbsent computeIfPresent compute merge removeIf replaceAll sort ", afterDot(member))
}

// passesTasks reports that some code may give a task to others that it was given itself, or has from
// a collection: to all but threads, which it starts.
func (a *Ahead) passesTasks(classes []*Class) bool {
	return slices.ContainsFunc(classes, func(c *Class) bool {
		return slices.ContainsFunc(c.handles, func(member string) bool { return a.mayRun(member) && isOfExecutor(member) }) ||
			slices.ContainsFunc(slices.Concat(c.bootstraps...), func(t target) bool { return a.mayRun(t.member) && hasTasks(t.descriptor) }) ||
			slices.ContainsFunc(c.Methods, func(m Method) bool { return a.passesOne(c, &m) })
	})
}

// passesOne reports that a method gives to others what it has not made for that.
func (a *Ahead) passesOne(c *Class, m *Method) bool {
	made := map[int]bool{} // the calls that are given what is made for them, by pc
	for at := range m.code {
		if in := &m.code[at]; in.code != newObject && len(a.madeBy(c, in)) == 0 {
			continue
		}
		uses, _ := usesOf(m.code, at)
		for _, u := range uses {
			made[u.pc] = true
		}
	}
	return slices.ContainsFunc(m.code, func(in instruction) bool {
		return in.op == opCall && a.mayRun(in.member) && hasTasks(in.descriptor) && !made[in.pc]
	})
}

// hasTasks tells descriptors of what is given something to run, or a queue or collection of such.
func hasTasks(descriptor string) bool {
	return slices.ContainsFunc([]string{"Ljava/lang/Runnable;", "Ljava/util/concurrent/Callable;", "BlockingQueue;)", "BlockingQueue;L", "Ljava/util/Collection;"},
		func(kind string) bool {
			return strings.Contains(descriptor[:strings.LastIndexByte(descriptor, ')')+1], kind)
		})
}

// mayRun tells the methods of others than the program, threads and collections, be they called by the name
// of a class of the program that has them from others.
func (a *Ahead) mayRun(member string) bool {
	class := beforeDot(member)
	return !a.hasNamed(class, afterDot(member)) && !takesRun(member) && !isCollection(class) && !strings.HasSuffix(class, "Queue")
}

// hasNamed reports that a class, or one of the program's that it extends, has a method of that name.
func (a *Ahead) hasNamed(class, method string) bool {
	for range mostInterfaces {
		c := a.classes[class]
		if c == nil {
			return false
		}
		if c.Has(method) {
			return true
		}
		class = c.super
	}
	return false
}

// isOfExecutor tells by their names the methods by which executors and timers are given what they run.
func isOfExecutor(member string) bool {
	return isOneOf(" execute submit schedule scheduleAtFixedRate scheduleWithFixedDelay runAsync newThread callable ", afterDot(member))
}

// makesTask tells what makes a lambda or method reference that is a task and nothing else.
func makesTask(in *instruction) bool {
	return in.code == invokedynamic && isOneOf(" Ljava/lang/Runnable; Ljava/util/concurrent/Callable; ", in.descriptor[strings.LastIndexByte(in.descriptor, ')')+1:])
}

// isTask tells a class of the program that others may call for nothing else than to run it.
func (a *Ahead) isTask(name string) bool {
	for kind := range a.kinds[name] {
		c := a.classes[kind]
		if !isPlain(c.super) && a.classes[c.super] == nil || slices.ContainsFunc(c.interfaces, func(i string) bool {
			return a.classes[i] == nil && i != "java.lang.Runnable" && i != "java.util.concurrent.Callable" || isManaged(i)
		}) {
			return false
		}
	}
	return name != ""
}
