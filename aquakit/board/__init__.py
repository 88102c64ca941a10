"""What games tell boards, as data: clicks, facts, drafts, claims."""
