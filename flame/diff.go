package flame

import (
	"fmt"
	"slices"

	"github.com/google/pprof/profile"
)

func isBase(s *profile.Sample) bool { return len(s.Label[LabelBase]) > 0 }

// IsDiff recognises a profile that was compared with a base.
func IsDiff(p *profile.Profile) bool { return slices.ContainsFunc(p.Sample, isBase) }

// Diff compares a profile with a base, as pprof's -diff_base does: the base's
// samples are added with their values negated. It uses both up.
//
// A base in other units of time or size is converted. Where units are unlike, or not known, a comment of the profile
// warns that only shares can be compared; a base in unlike units is scaled to the total of the profile.
func Diff(p, base *profile.Profile) (*profile.Profile, error) {
	if err := profile.CompatibilizeSampleTypes([]*profile.Profile{p, base}); err != nil {
		return nil, fmt.Errorf("the two profiles have no weight in common: %w", err)
	}
	warnings, err := alikeUnits(p, base)
	if err != nil {
		return nil, err
	}
	if err := CheckWeights(p, base); err != nil {
		return nil, err
	}
	base.Scale(-1)
	base.SetLabel(LabelBase, []string{"true"})
	comments, length := p.Comments, p.DurationNanos
	samePeriod([]*profile.Profile{p, base})
	merged, err := profile.Merge([]*profile.Profile{p, base})
	if err != nil {
		return nil, err
	}
	merged.Comments = append(slices.Clip(comments), warnings...)
	merged.DurationNanos, merged.DefaultSampleType = length, merged.SampleType[0].Type
	return merged, nil
}

// alikeUnits brings a base to the units of a profile that has the same sample types.
func alikeUnits(p, base *profile.Profile) (warnings []string, err error) {
	ratios := make([]float64, len(p.SampleType))
	for i, t := range p.SampleType {
		theirs := base.SampleType[i].Unit
		ratios[i] = 1
		switch factor, known := conversion(theirs, t.Unit); {
		case t.Type == Unnamed:
			warnings = append(warnings, "Units unknown: neither file says what its numbers count. Compare shares only.")
		case theirs == t.Unit:
		case known:
			ratios[i] = factor
		default:
			ratios[i] = ratio(total(p, i), total(base, i))
			warnings = append(warnings,
				fmt.Sprintf("Unlike units: %s is in %q, in the base in %q. The base is scaled to the "+
					"same total. Compare shares only.", t.Type, t.Unit, theirs))
		}
		base.SampleType[i].Unit = t.Unit
	}
	return warnings, base.ScaleN(ratios)
}

// unitSizes are the units that can be converted, by what they measure.
var unitSizes = []map[string]float64{
	{"nanoseconds": 1, "microseconds": 1e3, "milliseconds": 1e6, "seconds": 1e9, "ns": 1, "us": 1e3, "ms": 1e6,
		"s": 1e9},
	{"bytes": 1, "kilobytes": 1 << 10, "megabytes": 1 << 20, "gigabytes": 1 << 30},
}

// conversion is what a value in a unit is multiplied with to be in another one.
func conversion(from, to string) (factor float64, known bool) {
	for _, sizes := range unitSizes {
		if sizes[from] > 0 && sizes[to] > 0 {
			return sizes[from] / sizes[to], true
		}
	}
	return 0, false
}

func total(p *profile.Profile, index int) (sum float64) {
	for _, s := range p.Sample {
		sum += float64(s.Value[index])
	}
	return sum
}

// ratio is 1 where there is nothing to compare.
func ratio(a, b float64) float64 {
	if a <= 0 || b <= 0 {
		return 1
	}
	return a / b
}

// BaseScale is what the base of a difference is multiplied with so that both have the same total, and shares are
// compared: 1 for a profile that is no difference, and where one of the totals is 0.
func BaseScale(p *profile.Profile, index int) float64 {
	var now, base float64
	for _, s := range p.Sample {
		if isBase(s) {
			base -= float64(s.Value[index])
		} else {
			now += float64(s.Value[index])
		}
	}
	return ratio(now, base)
}

// samePeriod makes the sampling periods of profiles alike: pprof merges no others.
func samePeriod(parts []*profile.Profile) {
	for _, p := range parts {
		p.Period, p.PeriodType = parts[0].Period, parts[0].PeriodType
		if p.PeriodType == nil {
			p.PeriodType = &profile.ValueType{}
		}
	}
}
