package account

import (
	"github.com/jstall/jstall/internal/diagcmd"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/source/live"
)

func compilerQueue() view {
	return view{
		name: "compiler-queue", usage: "the methods that the JIT compilers compile, and their queues",
		about: "Shows Compiler.queue (JDK 9 and newer): the methods in compilation, and the methods\n" +
			"in the queues of C1 and C2.",
		price: "a pause of 0.02 ms.",
		examples: "   jstall compiler-queue 4711\n   jstall compiler-queue 4711 -n 5 -i 200ms\n" +
			"   jstall compiler-queue night.zip",
		commands: [][]string{{"Compiler.queue"}}, where: ", which JDK 9 and newer have", count: 1,
		facts: compilerFacts,
	}
}

func compilerFacts(s *seen) render.Facts {
	all := answers(s, diagcmd.ParseCompilerQueue, "Compiler.queue")
	if len(all) == 0 {
		return nil
	}
	f := render.CompilerFacts{CompilerQueue: all[len(all)-1].value}
	if len(all) == 1 {
		return f
	}
	for _, a := range all {
		sample := render.CompilerSample{Active: len(a.value.Active)}
		if a.at >= 0 {
			at := (a.at - all[0].at).Seconds()
			sample.AtSeconds = &at
		}
		for _, q := range a.value.Queues {
			sample.Queued += len(q.Tasks)
		}
		f.Samples = append(f.Samples, sample)
	}
	return f
}

func vmVitals() view {
	return view{
		name: "vm-vitals", usage: "the samples that SapMachine takes of itself",
		about: "Shows VM.vitals of SapMachine: its samples of the last hour and of the last ten days. The\n" +
			"table has the last sample, the one before and the first; --json has all.",
		price:    "no pause according to SapMachine's documentation; not measured.",
		examples: "   jstall vm-vitals 4711\n   jstall vm-vitals 4711 --json\n   jstall vm-vitals night.zip",
		commands: [][]string{{live.VitalsCommand}}, where: ", which SapMachine has", count: 1,
		facts: func(s *seen) render.Facts {
			all := answers(s, diagcmd.ParseVitals, live.VitalsCommand)
			if len(all) == 0 {
				return nil
			}
			return render.VitalsFacts{Vitals: all[len(all)-1].value}
		},
	}
}
