package classfile

import "slices"

// chains are fields, each of one object, that are only ever given a new object which has been given what the
// field held before, and keeps it: "shop.History.last/shop.Entry.<init>/shop.History.add:17". All that was ever there stays.
func (p *program) chains() []string {
	links, others := map[string]string{}, map[string]bool{}
	for _, fl := range p.flows {
		for i := range fl.code {
			in := &fl.code[i]
			if in.code != putfield && in.code != putstatic || fl.initialises() {
				continue
			}
			field, maker := p.field(in.member), fl.linkAt(i)
			switch {
			case maker == "" || !p.keepsFor(beforeDot(maker), in.descriptor):
				others[field] = true
			case fl.goesOn(put{at: in.pc}):
				links[field] = maker + "/" + fl.place(in.pc)
			}
		}
	}
	var all []string
	for field, maker := range links {
		if !others[field] && p.isMadeOnce(field) {
			all = append(all, field+"/"+maker)
		}
	}
	slices.Sort(all)
	return all
}

// linkAt is the constructor that has made what an instruction writes to a field, if it was given what that field
// held, itself; empty for all other.
func (fl *flow) linkAt(at int) string {
	field, made := fl.code[at].member, at-1
	if made > 0 && fl.code[made].loadsReference() {
		stores := fl.stores[fl.code[made].local]
		if len(stores) != 1 {
			return ""
		}
		made = slices.IndexFunc(fl.code, func(in instruction) bool { return in.pc == stores[0] }) - 1
	}
	if made < 0 || fl.code[made].op != opCall || afterDot(fl.code[made].member) != "<init>" {
		return ""
	}
	for i := made - 1; i >= 0 && fl.code[i].code != newObject; i-- {
		in, next := &fl.code[i], &fl.code[i+1]
		if in.member == field && (in.code == getfield || in.code == getstatic) && next.code != getfield && (next.op != opCall || i+1 == made) {
			return fl.code[made].member
		}
	}
	return ""
}

// keepsFor reports that the constructors of a class write to a field of a type that nobody writes to later.
func (p *program) keepsFor(class, descriptor string) bool {
	return slices.ContainsFunc(p.of[class], func(fl *flow) bool {
		return fl.name == "<init>" && slices.ContainsFunc(fl.code, func(in instruction) bool {
			return in.code == putfield && in.descriptor == descriptor && beforeDot(in.member) == class && !p.changes[afterDot(in.member)]
		})
	})
}
