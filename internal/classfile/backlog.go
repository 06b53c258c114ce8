package classfile

import (
	"slices"
	"strings"
)

// Methods by which one thing is taken out of a queue, and by which it is looked at.
const (
	takingOne = " take poll pollFirst takeFirst remove removeFirst pop "
	peeking   = " size isEmpty peek peekFirst element getFirst get remainingCapacity contains toString "
)

// bounds forgets of which kind a queue is that was made with a bound: what is kept of it is not followed.
func (fl *flow) bounds(in *instruction) {
	class := beforeDot(in.member)
	bounded := strings.HasPrefix(class, "java.util.concurrent.") && strings.Contains(class, "Blocking") && !strings.Contains(class, "Priority") && strings.HasPrefix(in.descriptor, "(I")
	if n := len(fl.stack); bounded && n > 0 {
		fl.stack[n-1].kind = ""
	}
}

// fed are queues in fields without a bound that are put into again and again, and from which things are taken one
// by one, each with the methods that do and those that call these: "shop.Inbox.letters/shop.Inbox.next,shop.Clerk.run".
// Each is a static field, or one of an object that is made once, at the start; is handed to nobody; and nobody asks
// whether it has grown beyond some size.
func (p *program) fed() []string {
	calls, loose := p.collectedCalls()
	var all []string
	for field, of := range calls {
		if loose[field] != 0 || strings.HasSuffix(field, ofMap) || isLocal(field) || !p.stays(field) {
			continue
		}
		adds, takers := false, []string(nil)
		only := !slices.ContainsFunc(of, func(c ownCall) bool { return !c.queues() })
		for _, c := range of {
			adds = adds || c.adds && c.flow.goesOn(put{at: c.at})
			if c.takesOne() {
				takers = append(takers, c.flow.withCallers()...)
			}
		}
		if only && adds && len(takers) > 0 {
			slices.Sort(takers)
			all = append(all, field+"/"+strings.Join(slices.Compact(takers), ","))
		}
	}
	slices.Sort(all)
	return all
}

// takesOne tells a call that takes one thing out of a queue or list, the first.
func (c ownCall) takesOne() bool {
	return isOneOf(takingOne, afterDot(c.member)) && (strings.HasPrefix(c.descriptor, "()") || strings.HasPrefix(c.descriptor, "(JL") || strings.HasPrefix(c.descriptor, "(I)L"))
}

// queues tells a call such as of what threads hand things over by.
func (c ownCall) queues() bool {
	class := beforeDot(c.member)
	ordered := strings.HasSuffix(class, "Queue") || strings.HasSuffix(class, "Deque") || strings.HasSuffix(class, "List")
	return ordered && !c.measured && (c.takesOne() || isOneOf(adding, afterDot(c.member)) || isOneOf(peeking, afterDot(c.member)))
}

// withCallers are the names of a method, of those that call it, and of those that call these.
func (fl *flow) withCallers() []string {
	const most = 16
	names := []string{fl.class + "." + fl.name}
	for _, c := range fl.callers {
		names = append(names, c.flow.class+"."+c.flow.name)
		for _, above := range c.flow.callers {
			names = append(names, above.flow.class+"."+above.flow.name)
		}
		if len(names) > most {
			break
		}
	}
	return names
}
