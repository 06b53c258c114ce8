package analysis

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jstall/jstall/analysis/finding"
)

// headline is the title of the leading finding with the place of its first culprit, followed by after. If that is too
// long, it drops first the package of the place, then those of the other classes, then the method, then the numbers of
// threads, then the place, then the last clause of the title.
func headline(lead *finding.Finding, after string) string {
	room := maxHeadline - len(StateOf(lead)) - len(": ") - utf8.RuneCountInString(after)
	for _, title := range []string{lead.Title, withoutLastClause(lead.Title)} {
		for _, text := range headlines(lead, title) {
			if text != "" && utf8.RuneCountInString(text) <= room {
				return text + after
			}
		}
	}
	return string([]rune(withoutPackages(lead.Title))[:room-1]) + "…" + after
}

// headlines returns forms of a title with the place of the first culprit, the longest first.
func headlines(lead *finding.Finding, title string) []string {
	where, short := placeOf(lead), withoutPackages(title)
	all := []string{
		placed(lead, title, where),
		placed(lead, title, withoutPackages(where)),
		placed(lead, short, withoutPackages(where)),
	}
	patterns := withPatterns(short)
	_, line, _ := strings.Cut(strings.TrimSuffix(where, ")"), " (")
	return append(all, placed(lead, short, line), placed(lead, patterns, withoutPackages(where)),
		placed(lead, patterns, line), title, short, patterns, withShortNames(lead, short))
}

// shortName is the longest name of a culprit in a headline that has no room for longer ones.
const shortName = 24

// withShortNames shortens the names of the culprits, but keeps the part of each in which it differs from the others.
func withShortNames(lead *finding.Finding, title string) string {
	names := make([]string, 0, len(lead.Culprits))
	for _, c := range lead.Culprits {
		names = append(names, c.Name)
	}
	if len(names) < 2 {
		return ""
	}
	for i, short := range finding.Distinct(names, shortName) {
		title = strings.ReplaceAll(title, finding.QuoteName(names[i])+lead.Culprits[i].Mark(), strconv.Quote(short)+
			lead.Culprits[i].Mark())
	}
	return title
}

// listPattern is two or more quoted names in a row.
var listPattern = regexp.MustCompile(`"[^"]*"(?:(?:, | and )"[^"]*")+`)

// withPatterns writes `2 × "http-*"` for `"http-1" and "http-3"`.
func withPatterns(title string) string {
	return listPattern.ReplaceAllStringFunc(title, func(list string) string {
		names := strings.Split(strings.ReplaceAll(strings.Trim(list, `"`), `" and "`, `", "`), `", "`)
		for i := range names {
			names[i] = strings.TrimRight(names[i], "0123456789")
		}
		if names[0] == "" || len(slices.Compact(slices.Clone(names))) > 1 {
			return list
		}
		return fmt.Sprintf("%d × \"%s*\"", len(names), names[0])
	})
}

// withoutLastClause cuts a title at its last semicolon.
func withoutLastClause(title string) string { return title[:max(0, strings.LastIndex(title, "; "))] }

// placeOf is the place of the first culprit: "com.acme.Orders.place (Orders.java:30)", empty if unknown.
func placeOf(lead *finding.Finding) string {
	if len(lead.Culprits) == 0 {
		return ""
	}
	return strings.TrimPrefix(lead.Culprits[0].Where(), "at ")
}

// packagePattern matches an optional article, the package of a class, and the first letter of the class.
var packagePattern = regexp.MustCompile(`(^|[ ("])(an? )?(?:[a-z][a-z0-9_]*\.)+([A-Z])`)

// withoutPackages removes the packages from the names of classes.
func withoutPackages(text string) string {
	return packagePattern.ReplaceAllStringFunc(text, func(found string) string {
		parts := packagePattern.FindStringSubmatch(found)
		before, article, class := parts[1], parts[2], parts[3]
		switch {
		case article == "":
		case strings.Contains("AEIO", class):
			article = "an "
		default:
			article = "a "
		}
		return before + article + class
	})
}

// waitVerb is the verb of a sentence about threads that wait.
var waitVerb = regexp.MustCompile(`\b(waits?|sleeps?)\b`)

// placed inserts a place into a title: after the method if the title names it, else after the name of the first
// culprit, else after the verb if the culprits themselves wait, else at the end if the title counts threads that use
// the CPU. A title with none of these stays without the place.
func placed(lead *finding.Finding, title, where string) string {
	if where == "" || title == "" {
		return "" // the form without a place is another entry of headlines
	}
	method, _, _ := strings.Cut(where, " (")
	for _, name := range []string{method, withoutPackages(method)} {
		if before, after, ok := strings.Cut(title, " "+name); ok && !continues(after) {
			return before + " " + where + after
		}
	}
	if before, name, after, ok := cutName(title, lead.Culprits[0]); ok {
		if before == "" && !strings.ContainsAny(after, ",;:\"") {
			return title + " in " + where
		}
		return before + name + " (in " + inBrackets(where) + ")" + after
	}
	if at := waitVerb.FindStringIndex(title); at != nil && culpritsWait(lead) {
		return title[:at[1]] + " in " + where + otherMethods(lead) + title[at[1]:]
	}
	if usesCPU.MatchString(title) && !strings.ContainsAny(title, ",;:\"") {
		return title + " in " + where
	}
	return title
}

// usesCPU matches a title that counts threads and gives the CPU that they use.
var usesCPU = regexp.MustCompile(`^[0-9,]+ threads .*\buse\b`)

// otherMethods counts the methods of further culprits that differ from the first one's: " and 2 other methods".
func otherMethods(lead *finding.Finding) string {
	methods := map[string]bool{}
	for _, c := range lead.Culprits {
		if method, _, _ := strings.Cut(c.Where(), " ("); method != "" {
			methods[method] = true
		}
	}
	if len(methods) < 2 {
		return ""
	}
	return " and " + finding.Counted(len(methods)-1, "other method")
}

// inBrackets is a place without its own brackets, to be put in brackets: "Orders.place, Orders.java:30".
func inBrackets(where string) string {
	return strings.TrimSuffix(strings.Replace(where, " (", ", ", 1), ")")
}

// continues reports whether the found name is only the beginning of a longer one.
func continues(after string) bool {
	return after != "" && !strings.ContainsAny(after[:1], " ,;:)")
}

// threadsPattern matches several threads by the pattern of their names: `5 × "http-*"`.
var threadsPattern = regexp.MustCompile(`[0-9]+ × "([^"]*)\*([^"]*)"`)

// cutName splits a title around the name of a thread, or around the pattern of several threads with that name.
func cutName(title string, of finding.ThreadRef) (before, found, after string, ok bool) {
	name := of.Name
	for _, quoted := range []string{of.Called(), finding.QuoteName(name)} {
		if before, after, ok := strings.Cut(title, quoted); ok {
			return before, quoted, after, true
		}
	}
	at := threadsPattern.FindStringSubmatchIndex(title)
	if at == nil || !strings.HasPrefix(name, title[at[2]:at[3]]) || !strings.HasSuffix(name, title[at[4]:at[5]]) {
		return "", "", "", false
	}
	return title[:at[0]], title[at[0]:at[1]], title[at[1]:], true
}

// culpritsWait reports whether the culprits are the threads that the title counts as waiting: the finding has no
// victims, or the culprits are the workers of an executor.
func culpritsWait(f *finding.Finding) bool {
	return len(f.Victims) == 0 || f.Kind == finding.KindExecutorSaturated
}
