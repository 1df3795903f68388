"""Calls every operation through the client that openapi-python-client made of the document."""

import sys

from telegrep_client import Client
from telegrep_client.api.channels import get_channel, get_live_channel, list_channel_posts, list_channels
from telegrep_client.api.posts import get_evidence, get_post, get_spread, list_changes
from telegrep_client.api.search import search_posts, suggest
from telegrep_client.api.service import get_meta, get_status, list_languages
from telegrep_client.models.get_evidence_format import GetEvidenceFormat
from telegrep_client.models.problem import Problem
from telegrep_client.models.search_posts_sort import SearchPostsSort

client = Client(base_url=sys.argv[1], raise_on_unexpected_status=True)

channels = list_channels.sync(client=client, limit=5)
name = channels.data[0].username
assert get_channel.sync(name, client=client).data.username == name
assert get_live_channel.sync(name, client=client).data.channel.username == name
posts = list_channel_posts.sync(name, client=client, limit=3)
assert len(posts.data) == 3 and posts.meta.next_cursor
more = list_channel_posts.sync(name, client=client, limit=3, cursor=posts.meta.next_cursor)
assert more.data[0].id != posts.data[0].id
slug = posts.data[0].slug
assert get_post.sync(name, slug, client=client).data.slug == slug
assert get_spread.sync(name, slug, client=client).data is not None

found = search_posts.sync(client=client, sort=SearchPostsSort.NEWEST, channel=[name], since="last 20 days", limit=2)
assert found.meta.total.value >= len(found.data) > 0
assert {hit.channel.username for hit in found.data} == {name}
refused = search_posts.sync(client=client, q="has:elephants")
assert isinstance(refused, Problem) and refused.status == 400, refused

assert get_evidence.sync(name, slug, client=client, format_=GetEvidenceFormat.JSON).data
assert list_changes.sync(client=client).data is not None
assert suggest.sync(client=client, q=name[:3]).data
assert list_languages.sync(client=client).data
assert get_meta.sync(client=client).data.tier
assert get_status.sync(client=client).data.archive.posts > 0
print("python: every operation called")
