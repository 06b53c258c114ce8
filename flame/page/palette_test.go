package page_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"
)

// colour is red, green and blue, linear, 0 to 1.
type colour [3]float64

// palettes are the colours of each theme by the names of their CSS variables.
func palettes(t *testing.T) map[string]map[string]colour {
	t.Helper()
	sheet, err := os.ReadFile("assets/page.css")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile(`(?s)color-scheme: (light|dark);(.*?)}`).FindAllStringSubmatch(string(sheet), -1)
	if len(blocks) != 2 {
		t.Fatalf("found %d themes", len(blocks))
	}
	all := map[string]map[string]colour{}
	for _, block := range blocks {
		all[block[1]] = map[string]colour{}
		for _, m := range regexp.MustCompile(`--([a-z-]+): #(\w\w)(\w\w)(\w\w);`).FindAllStringSubmatch(block[2], -1) {
			all[block[1]][m[1]] = colour{channel(t, m[2]), channel(t, m[3]), channel(t, m[4])}
		}
	}
	return all
}

func channel(t *testing.T, hex string) float64 {
	t.Helper()
	var v int
	if _, err := fmt.Sscanf(hex, "%x", &v); err != nil {
		t.Fatal(err)
	}
	s := float64(v) / 255
	if s <= 0.04045 {
		return s / 12.92
	}
	return math.Pow((s+0.055)/1.055, 2.4)
}

// contrast is that of WCAG 2: 1 to 21.
func contrast(a, b colour) float64 {
	light := func(c colour) float64 { return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] + 0.05 }
	return max(light(a), light(b)) / min(light(a), light(b))
}

func TestTextCanBeRead(t *testing.T) {
	for theme, c := range palettes(t) {
		for ink, grounds := range map[string]string{
			"ink": "paper raised hover", "quiet": "paper raised", "accent": "paper raised",
			"growth-ink": "paper", "shrinkage-ink": "paper",
			"frame-ink": "application framework jdk jvm native kernel none growth same",
		} {
			for _, ground := range strings.Fields(grounds) {
				if ratio := contrast(c[ink], c[ground]); ratio < 4.5 {
					t.Errorf("%s: %s on %s has a contrast of %.1f", theme, ink, ground, ratio)
				}
			}
		}
	}
}

// sights are what people without one kind of cone see of linear colours
// (Machado, Oliveira and Fernandes 2009, the whole loss).
var sights = map[string][3]colour{
	"all cones":    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// seen is a colour in CIE Lab as one of the sights has it.
func seen(c colour, sight [3]colour) colour {
	var rgb colour
	for i, row := range sight {
		rgb[i] = min(1, max(0, row[0]*c[0]+row[1]*c[1]+row[2]*c[2]))
	}
	f := func(v float64) float64 {
		if v > 0.008856 {
			return math.Cbrt(v)
		}
		return 7.787*v + 16.0/116
	}
	x := f((0.4124*rgb[0] + 0.3576*rgb[1] + 0.1805*rgb[2]) / 0.9505)
	y := f(0.2126*rgb[0] + 0.7152*rgb[1] + 0.0722*rgb[2])
	z := f((0.0193*rgb[0] + 0.1192*rgb[1] + 0.9505*rgb[2]) / 1.089)
	return colour{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// TestColoursDifferToEveryEye wants ten times the difference that an eye can just
// see between any two colours that say different things.
func TestColoursDifferToEveryEye(t *testing.T) {
	for theme, c := range palettes(t) {
		for _, set := range []string{"application framework jdk jvm native kernel", "growth same shrinkage"} {
			names := strings.Fields(set)
			for i, one := range names {
				for _, other := range names[i+1:] {
					for name, sight := range sights {
						a, b := seen(c[one], sight), seen(c[other], sight)
						if d := math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2]); d < 23 {
							t.Errorf("%s, %s: %s and %s differ by %.0f only", theme, name, one, other, d)
						}
					}
				}
			}
		}
	}
}
