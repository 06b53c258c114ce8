package finding

func One(b bool) int {
	if b {
		return 1
	}
	return 0
}
