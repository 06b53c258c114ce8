package render

import (
	"slices"

	"github.com/jstall/jstall/analysis/finding"
)

// rootsOf returns the finding at the end of the explanations of each finding. A finding in a circle is its own root.
func rootsOf(findings []finding.Finding) map[*finding.Finding]*finding.Finding {
	byID := make(map[string]*finding.Finding, len(findings))
	for i := range slices.Backward(findings) { // the first of an id counts
		byID[findings[i].ID] = &findings[i]
	}
	roots := make(map[*finding.Finding]*finding.Finding, len(findings))
	for i := range findings {
		var path []*finding.Finding
		f, onPath := &findings[i], map[*finding.Finding]bool{}
		for roots[f] == nil && !onPath[f] {
			path, onPath[f] = append(path, f), true
			if next := byID[f.ExplainedBy]; f.ExplainedBy != "" && next != nil {
				f = next
			}
		}
		for _, each := range path {
			switch root := roots[f]; {
			case root != nil:
				roots[each] = root
			case f.ExplainedBy == "" || byID[f.ExplainedBy] == nil:
				roots[each] = f
			default:
				roots[each] = each
			}
		}
	}
	return roots
}

// explainedBy returns the findings that each root explains, in the order of the report.
func explainedBy(
	findings []finding.Finding, roots map[*finding.Finding]*finding.Finding,
) map[*finding.Finding][]*finding.Finding {
	behind := map[*finding.Finding][]*finding.Finding{}
	for i := range findings {
		if f := &findings[i]; roots[f] != f {
			behind[roots[f]] = append(behind[roots[f]], f)
		}
	}
	return behind
}

// roots returns the findings that no other finding explains. A finding also counts as one if the explaining finding is
// missing, or is itself.
func (p *page) roots() []*finding.Finding {
	var out []*finding.Finding
	for i := range p.report.Findings {
		f := &p.report.Findings[i]
		if p.rootOf(f) == f {
			out = append(out, f)
		}
	}
	return out
}

func (p *page) rootOf(f *finding.Finding) *finding.Finding {
	if root := p.rootByFinding[f]; root != nil {
		return root
	}
	return f
}

func keyOf(t finding.ThreadRef) threadKey { return threadKey{t.Name, t.ID, t.NativeID} }
