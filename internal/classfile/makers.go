package classfile

import (
	"slices"
	"strings"
)

// makerKinds are classes and what they are kinds of; whoever makes one of them starts threads sooner or later, or
// loads classes. An executor's may also be made by Executors, a client by its own methods.
var makerKinds = map[string]string{
	"java.lang.Thread": "thread", "java.util.Timer": "timer",
	"java.util.concurrent.ThreadPoolExecutor": "executor", "java.util.concurrent.ScheduledThreadPoolExecutor": "executor", "java.util.concurrent.ForkJoinPool": "executor",
	"java.lang.ClassLoader": "loader", "java.security.SecureClassLoader": "loader", "java.net.URLClassLoader": "loader",
}

// madeAgain are the places at which code that runs again and again makes threads, or what has some, class loaders, or
// classes without a name, by their kinds: "timer/shop.Desk.open:17". What an executor has its threads made by is none.
func (p *program) madeAgain(flows []*flow) []string {
	var all []string
	for _, fl := range flows {
		if strings.HasSuffix(fl.descriptor, "Ljava/lang/Runnable;)Ljava/lang/Thread;") {
			continue
		}
		for i := range fl.code {
			in := &fl.code[i]
			if kind := p.makes(in); kind != "" && fl.goesOn(put{at: in.pc}) {
				all = append(all, kind+"/"+fl.place(in.pc))
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// makes is the kind of what an instruction makes.
func (p *program) makes(in *instruction) string {
	class, name := beforeDot(in.member), afterDot(in.member)
	switch {
	case in.code == newObject:
		return p.kindOf(in.member)
	case in.op != opCall:
		return ""
	case class == "java.util.concurrent.Executors" && strings.HasPrefix(name, "new") && !strings.Contains(name, "Virtual"):
		return "executor"
	case class == "java.net.http.HttpClient" && name == "newHttpClient", class == "java.net.http.HttpClient$Builder" && name == "build":
		return "client"
	case strings.HasPrefix(class, "java.lang.invoke.") && isOneOf(" metafactory altMetafactory defineHiddenClass ", name):
		return "class"
	case strings.HasPrefix(class, "java.lang.Thread$Builder") && !strings.Contains(class, "Virtual") && isOneOf(" start unstarted ", name):
		return "thread"
	}
	return ""
}

// kindOf is the kind of a class, or of one that it extends.
func (p *program) kindOf(class string) string {
	for range mostRounds {
		if kind := makerKinds[class]; kind != "" || class == "" {
			return kind
		}
		class = p.supers[class]
	}
	return ""
}
