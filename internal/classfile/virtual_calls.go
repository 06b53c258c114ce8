package classfile

// bodiesOf are the methods that a call may run of a class or interface which has no code for it itself, of those
// that have the name and the types. Others may have more of its kind; none are told of methods of the JDK.
func (p *program) bodiesOf(in *instruction, named []*flow) (bodies []*flow) {
	class := beforeDot(in.member)
	if p.classes[class] == nil {
		return nil
	}
	for _, fl := range named {
		if !fl.static && p.isA(fl.class, class) {
			bodies = append(bodies, fl)
		}
	}
	return bodies
}

// isA reports that a class is another, extends or implements it.
func (p *program) isA(class, other string) bool {
	kinds, known := p.kinds[class]
	if !known {
		kinds = kindsOf(p.classes, class)
		p.kinds[class] = kinds
	}
	return kinds[other]
}

// connectVirtual notes the methods that are behind calls of abstract ones, a few of each.
func (p *program) connectVirtual() {
	const few = 16
	named := map[string][]*flow{}
	for _, fl := range p.flows {
		named[fl.name+fl.descriptor] = append(named[fl.name+fl.descriptor], fl)
	}
	for _, fl := range p.flows {
		for i := range fl.code {
			in := &fl.code[i]
			if in.op != opCall || in.code == invokestatic || p.callee(in) != nil {
				continue
			}
			bodies := p.bodiesOf(in, named[afterDot(in.member)+in.descriptor])
			if len(bodies) == 0 || len(bodies) > few {
				continue
			}
			p.bodies[in] = bodies
			for _, body := range bodies {
				body.behind = true
			}
		}
	}
}

// takeBehind hands what is new each time to the methods behind an abstract one, of which more is not known,
// and tells whether what they give is new.
func (p *program) takeBehind(in *instruction, args []value) value {
	result := value{many: true, ever: true}
	bodies := p.bodies[in]
	for _, body := range bodies {
		news := make([]value, len(args))
		for i, v := range args {
			news[i] = value{many: true, small: v.small, ever: v.ever, array: v.array, kind: v.kind}
		}
		body.take(value{many: true}, news)
		result.ever = result.ever && (body.result.ever || !body.returned)
	}
	result.ever = result.ever && len(bodies) > 0
	return result
}
