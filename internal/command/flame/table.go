package flame

import (
	"fmt"
	"maps"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/flame"
	"github.com/jstall/jstall/internal/order"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
)

// flameTable prints the methods of a profile, or of each of its threads.
func flameTable(env *shell.Env, g gathered, o flameOptions, index int) error {
	t := g.profile.SampleType[index]
	m := methodsOf(g, index)
	options := flame.MethodOptions{Index: index, Idle: o.idle || t.Type == flame.Wall}
	if m.Diff {
		options.BaseScale = flame.BaseScale(g.profile, index)
		m.Notes = append(m.Notes, scaleNote(options.BaseScale))
	}
	if o.by != "" {
		m.Groups = labelGroups(g.profile, o.by, options, o.top)
	} else {
		m.Groups = []render.MethodGroup{methodGroup(g.profile, options, o.top)}
	}
	return render.MethodTable(env.Stdout, m, render.Options{Color: o.color, Width: env.OutWidth})
}

// methodsOf is the table of methods of a profile with its notes.
func methodsOf(g gathered, index int) render.Methods {
	t := g.profile.SampleType[index]
	m := render.Methods{Unit: t.Unit, Weight: weightTitle(t.Type), Diff: flame.IsDiff(g.profile)}
	if comments := g.profile.Comments; len(comments) > 0 {
		m.Title, m.Notes = comments[0], append(m.Notes, comments[1:]...)
	}
	m.Notes = append(m.Notes, g.notes...)
	return m
}

// scaleNote says how the base of a difference is shown.
func scaleNote(scale float64) string {
	return fmt.Sprintf("BASE is multiplied by %.3g, to the same total: CHANGE compares shares, not lengths.", scale)
}

func weightTitle(sampleType string) string {
	switch sampleType {
	case flame.CPU:
		return "CPU TIME"
	case flame.Wall:
		return "WALL TIME"
	case flame.Alloc:
		return "ALLOCATED"
	case flame.Lock:
		return "BLOCKED"
	case flame.Malloc:
		return "MALLOC"
	case flame.Unnamed:
		return "WEIGHT"
	}
	return sampleType
}

// labelGroups returns a table for each value of a label with a weight, the heaviest first.
func labelGroups(p *profile.Profile, label string, o flame.MethodOptions, top int) []render.MethodGroup {
	samples := map[string][]*profile.Sample{}
	for _, s := range p.Sample {
		name := flame.LabelValue(s, label)
		samples[name] = append(samples[name], s)
	}
	var groups []render.MethodGroup
	for _, name := range slices.Sorted(maps.Keys(samples)) {
		part := &profile.Profile{SampleType: p.SampleType, Sample: samples[name]}
		if g := methodGroup(part, o, top); g.Total != 0 || g.Samples != 0 {
			g.Label, g.Value = label, name
			groups = append(groups, g)
		}
	}
	order.SortStable(groups, func(a, b render.MethodGroup) int { return int(min(1, max(-1, b.Total-a.Total))) })
	return groups
}

func methodGroup(p *profile.Profile, o flame.MethodOptions, top int) render.MethodGroup {
	t := flame.Methods(p, o)
	g := render.MethodGroup{Samples: t.Samples, Idle: t.Idle, Total: t.Total, Base: t.Base}
	shown := t.Methods
	if top > 0 && len(shown) > top {
		shown, g.More = shown[:top], len(shown)-top
	}
	for _, m := range shown {
		g.Rows = append(g.Rows, render.MethodRow{
			Name: m.Function.Name, Samples: m.Samples, OnTop: m.OnTop, Total: m.Total, Self: m.Self, Base: m.Base,
		})
	}
	return g
}
